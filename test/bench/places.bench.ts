import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { createPlaces } from '../../main/places/places.ts'
import { openFarDesk } from '../places/support/far-desk.ts'
import { NO_REDACTOR } from '../places/support/no-redactor.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from '../places/support/ssh-server.ts'
import { testMachine } from '../places/support/wire.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { inFolder, made } from './bench-app.ts'
import { type Figure, median } from './figures.ts'

const ROUNDS = 12
const OUTPUT_MB = 64
const CUTS = 5

/** Measures what a session on another machine costs beside one on this computer. */
export async function benchPlaces(): Promise<readonly Figure[]> {
  await buildGuest()
  const overSsh = whyNoSshServer === null ? await inFolder(async () => [...(await output()), ...(await reconnects())]) : []
  return [...(await inFolder(rounds)), ...overSsh]
}

/** Edits, reads and commands in turn. */
const ANSWERS = Array.from({ length: ROUNDS }, (_, round) => {
  if (round % 3 === 0) return calls(call('edit', { file_path: 'a.txt', old_string: `${round}`, new_string: `${round + 3}` }))
  return round % 3 === 1 ? calls(call('read', { file_path: 'a.txt' })) : calls(call('shell', { command: 'cat a.txt' }))
})

/** The time in ms from one request to the next, for each kind of round. */
async function roundsIn(base: string, latencyMs: number | null): Promise<readonly number[]> {
  const folder = made(base, `project-${latencyMs ?? 'here'}`)
  writeFileSync(join(folder, 'a.txt'), '0\n')
  const at: number[] = []
  const model = await startScriptedModel(({ index }) => {
    at.push(performance.now())
    return ANSWERS[index] ?? say('Done.')
  })
  const where = latencyMs === null ? null : testMachine(made(base, `machine-${latencyMs}`), () => ({ delayMs: () => latencyMs / 2 }))
  const address = where ? `ssh://box${folder}` : folder
  const desk = await openFarDesk({ base, folder: address, modelUrl: model.url, ...(where && { connectBy: where.connectBy }) })
  try {
    await desk.turn(await desk.session('auto'))
  } finally {
    await desk.close()
    await model.close()
  }
  const took = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  return [0, 1, 2].map((kind) => median(took.filter((_, round) => round > 2 && round % 3 === kind)))
}

async function rounds(base: string): Promise<readonly Figure[]> {
  const here = await roundsIn(base, null)
  const figures: Figure[] = []
  for (const latency of [0, 50, 200]) {
    const there = await roundsIn(base, latency)
    for (const [kind, name] of ['an edit', 'a read', 'a command in a copy'].entries()) {
      const more = (there[kind] ?? 0) - (here[kind] ?? 0)
      figures.push({
        promise: `${name} on another machine, ${latency} ms away`,
        value: `${(there[kind] ?? 0).toFixed(0)} ms, ${more.toFixed(0)} ms more than here`,
        method: `median of ${ROUNDS / 3 - 1}: from the model's answer to the next request; each message takes half of the latency (at 50 ms: at most 250 ms more)`,
      })
    }
  }
  return figures
}

async function withPlace<T>(work: (env: ExecutionEnvironment, server: SshServer, lost: () => number) => Promise<T>): Promise<T> {
  const server = await startSshServer()
  const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: server.config })
  try {
    const reached = await places.reach({ kind: 'ssh', host: server.host, port: null })
    if (!reached.ok) throw new Error(reached.failure.what)
    const folder = join(server.folder, 'project')
    mkdirSync(folder)
    const env = reached.value.createEnvironment(folder)
    await env.initialize()
    return await work(env, server, () => places.lost().length)
  } finally {
    await places.close()
    await server.close()
  }
}

/** The speed in MB/s at which a command's output arrives. */
async function speedOf(env: ExecutionEnvironment): Promise<number> {
  let bytes = 0
  const began = performance.now()
  const spool = (piece: Uint8Array): void => void (bytes += piece.length)
  await env.execCommand(`head -c ${OUTPUT_MB * 1e6} /dev/zero | tr '\\0' 'x' | fold -w 99`, { spool, timeoutMs: 600_000 })
  return bytes / 1000 / (performance.now() - began)
}

async function output(): Promise<readonly Figure[]> {
  return withPlace(async (env, server) => {
    const speeds: number[] = []
    for (let n = 0; n < 3; n++) speeds.push(await speedOf(env))
    const here = await speedOf(createLocalExecutionEnvironment(server.folder))
    return [
      {
        promise: `${OUTPUT_MB} MB of output over loopback ssh`,
        value: `${Math.max(...speeds).toFixed(0)} MB/s (here ${here.toFixed(0)} MB/s)`,
        method: 'best of three, every byte to the spool (at least 25 MB/s)',
      },
    ]
  })
}

async function reconnects(): Promise<readonly Figure[]> {
  return withPlace(async (env, server, lost) => {
    const until = async (is: boolean): Promise<void> => {
      while (lost() > 0 !== is) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const waits: number[] = []
    for (let n = 0; n < CUTS; n++) {
      server.cut()
      const began = performance.now()
      await until(true)
      await until(false)
      await env.stat('.')
      waits.push(performance.now() - began)
    }
    return [
      {
        promise: 'reconnect and answer a call, after the connection was cut',
        value: `${median(waits).toFixed(0)} ms, at most ${Math.max(...waits).toFixed(0)} ms`,
        method: `${CUTS} cuts over loopback ssh; the line is back at once (at most 2 s)`,
      },
    ]
  })
}
