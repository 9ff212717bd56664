import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { localHost, startHostProgram } from '../../main/host-process/near/local-host.ts'
import { type HostProcess, startHostProcess } from '../../main/host-process/near/start-host-process.ts'
import { type Figure, median } from './figures.ts'

const CALLS = 400
const COMMANDS = 30
const STARTS = 5
const MB = 1_000_000

/** Compares the environment of a host process with the one in this process, in turn (layers.md §6). */
export async function benchLayers(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  writeFileSync(join(folder, 'file'), 'x'.repeat(4096))
  const here = createLocalExecutionEnvironment(folder)
  const starts: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const begin = performance.now()
    const host = await started(folder)
    starts.push(performance.now() - begin)
    await host.close()
  }
  const host = await started(folder)
  try {
    const row = async (promise: string, bar: string, runs: number, work: (env: ExecutionEnvironment) => Promise<unknown>) => {
      const { mine, theirs } = await inTurn(
        runs,
        () => work(host.environment),
        () => work(here),
      )
      return { promise, value: `${ms(mine)} beside ${ms(theirs)} here`, method: `${bar}median of ${runs}, in turn with this process` }
    }
    const spool = (): void => {}
    return [
      { promise: 'a host process is ready', value: ms(median(starts)), method: `median of ${STARTS} starts, from the sources` },
      await row('one stat through a host process', 'bar: 0.5 ms; ', CALLS, (env) => env.stat('file')),
      await row('one read of 4 KB', 'bar: 1 ms; ', CALLS, (env) => env.readBytes('file')),
      await row('one write of 4 KB', '', COMMANDS, (env) => env.writeBytes('file', new Uint8Array(4096))),
      await row('true on pipes', '', COMMANDS, (env) => env.execCommand('true')),
      await row('64 MB of output, every byte passed on', '', 3, (env) =>
        env.execCommand(`head -c ${64 * MB} /dev/zero`, { spool, timeoutMs: 120_000 }),
      ),
    ]
  } finally {
    await host.close()
    await here.cleanup()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function started(folder: string): Promise<HostProcess> {
  const { argv, env, build } = await localHost()
  return startHostProcess({ start: () => startHostProgram(argv, env), build, folder, data: null })
}

async function inTurn(
  runs: number,
  ours: () => Promise<unknown>,
  plain: () => Promise<unknown>,
): Promise<{ readonly mine: number; readonly theirs: number }> {
  const mine: number[] = []
  const theirs: number[] = []
  // The first run of each is a warm-up.
  for (let run = 0; run <= runs; run++) {
    mine.push(await timed(ours))
    theirs.push(await timed(plain))
  }
  return { mine: median(mine.slice(1)), theirs: median(theirs.slice(1)) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`
