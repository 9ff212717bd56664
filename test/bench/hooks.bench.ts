import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isControlFile } from '../../main/approval/control-files.ts'
import { createLocalCommandCopies } from '../../main/environment/copy/local-command-copies.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { confineIn } from '../../main/hooks/confined-hooks.ts'
import { createUnconfinedHooks } from '../../main/hooks/unconfined-hooks.ts'
import { createHooks } from '../../main/hooks/run-hooks.ts'
import { createKnownSecrets } from '../../main/redaction/known-secrets.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { hook } from '../hooks/support/hook.ts'
import { type Figure, median } from './figures.ts'

const RUNS = 40
/** The number of folders in a large project, all of which are searched for new control files after each run. */
const FOLDERS = 2_500

interface Times {
  readonly hook: readonly number[]
  readonly bare: readonly number[]
}

async function bareStart(): Promise<number> {
  const begin = performance.now()
  const child = spawn('sh', ['-c', 'cat > /dev/null'], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end('{}')
  await once(child, 'close')
  return performance.now() - begin
}

/** Measures the time that a hook adds to each call (target: about 20 ms). */
export async function benchHooks(): Promise<readonly Figure[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    const small = join(base, 'project')
    mkdirSync(small)
    const large = join(base, 'large')
    for (let index = 0; index < FOLDERS; index++) mkdirSync(join(large, `d${index % 50}`, `e${index}`), { recursive: true })
    writeFileSync(join(large, 'package.json'), '{}')
    return [
      ...(await benchIn(small, join(base, 'data'), '')),
      ...(await benchIn(large, join(base, 'data'), ` in a project of ${FOLDERS} folders`)),
    ]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function benchIn(folder: string, layers: string, where: string): Promise<readonly Figure[]> {
  const copies = createLocalCommandCopies({ folder, layers, isControl: (path) => isControlFile(path.split('/')) })
  const environment = createLocalExecutionEnvironment(folder)
  try {
    const guard = hook('PreToolUse', 'cat > /dev/null', 'Bash')
    const run = async (isFree: boolean): Promise<Times> => {
      const free = createUnconfinedHooks({ read: () => null, write: () => {} })
      free.set(folder, guard, isFree, [])
      const open = { environment, folder, copies, isSandboxRequired: false }
      const hooks = createHooks({
        hooks: [guard],
        env: environment,
        project: folder,
        home: null,
        redactor: createKnownSecrets(),
        sessionId: SessionId.parse('bench'),
        confine: confineIn(open, { free, home: null }),
      })
      const times = { hook: [] as number[], bare: [] as number[] }
      // The variants run alternately, so that other load on the machine affects both. The first run of each is a warm-up.
      for (let count = 0; count <= RUNS; count++) {
        const bare = await bareStart()
        const begin = performance.now()
        await hooks.run(
          { event: 'PreToolUse', toolCallId: ToolCallId.parse('c1'), toolName: 'shell', args: { command: 'true' } },
          {
            mode: 'ask',
            model: { provider: 'anthropic', model: 'm', baseUrl: null },
            turns: () => [],
            signal: new AbortController().signal,
          },
        )
        if (count === 0) continue
        times.hook.push(performance.now() - begin)
        times.bare.push(bare)
      }
      await hooks.close()
      return times
    }
    const row = (promise: string, times: Times): Figure => ({
      promise,
      value: `${median(times.hook).toFixed(1)} ms beside ${median(times.bare).toFixed(1)} ms for the program alone`,
      method: `median of ${RUNS} runs of \`cat > /dev/null\`, from the call to its answer; bar: 20 ms on a machine without other work`,
    })
    const support = await copies.support()
    return [
      row(`an unconfined hook${where}`, await run(true)),
      support.kind === 'present'
        ? row(`a confined hook${where}`, await run(false))
        : { promise: `a confined hook${where}`, value: 'skipped', method: support.reason },
    ]
  } finally {
    await copies.cleanup()
    await environment.cleanup()
  }
}
