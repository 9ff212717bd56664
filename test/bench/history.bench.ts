import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBlamer } from '../../main/blame/blame.ts'
import { captureFiles } from '../../main/changes/capture-files.ts'
import { createFolderComparison } from '../../main/environment/comparison/folder-comparison.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createDoctor } from '../../main/store/doctor/doctor.ts'
import type { Store } from '../../main/store/store.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { Effect } from '../../shared/session/effects.ts'
import { firstItem, inFolder, made, never, openApp, seeded } from './bench-app.ts'
import { type Figure, median } from './figures.ts'
import { told, watchMain } from './main-watch.ts'
import { seedSession } from './seeded-session.ts'

const CONFIG = { provider: 'anthropic', model: 'm', mode: 'full', effort: null, baseUrl: null } as const
const SESSIONS = 550
/** The number of rounds per session, and of characters per output. All sessions together then have 200,000 events and take up 1 GB. */
const ROUNDS = 42
const OUTPUT_CHARS = 13_000
const STEPS = 1_000
/** The number of lines in the file that changes in each step. These lines make 20 kB. */
const LINES = 400
const FILES = 50_000
const COMMANDS = 15

/**
 * Measures a start, the doctor and blame with 200,000 events in 1 GB, the disk space of 1,000 steps, and the time that a checkpoint adds to
 * a step in a large folder.
 */
export async function benchHistory(): Promise<readonly Figure[]> {
  return [...(await inFolder(stored)), ...(await inFolder(inLargeFolder))]
}

async function stored(folder: string): Promise<readonly Figure[]> {
  const data = made(folder, 'data')
  await seeded(data, (store) => {
    for (let n = 0; n < SESSIONS; n++)
      seedSession(store, { sessionId: `s_${n}`, cwd: '/w', config: CONFIG, rounds: ROUNDS, outputChars: OUTPUT_CHARS })
  })
  const path = join(folder, 'project/long.txt')
  const before = bytesIn(data)
  await seeded(data, (store) => steps(store, path))
  const growth: Figure = {
    promise: `disk growth over ${STEPS} steps`,
    value: `${megabytes(bytesIn(data) - before)} MB beside ${megabytes(STEPS * textAt(0).length)} MB of new contents`,
    method: `each step changes one line of a file of ${LINES} lines; events and contents together`,
  }
  return [growth, await startFigure(data, made(folder, 'project')), await doctorFigure(data), await blameFigure(data, path)]
}

/** Returns the content of the file after this number of steps. */
const textAt = (step: number): string =>
  Array.from(
    { length: LINES },
    (_, line) => `line ${line}, changed by step ${step - ((step - line + LINES * STEPS) % LINES)} of many steps\n`,
  ).join('')

function steps(store: Store, path: string): void {
  const sessionId = SessionId.parse('steps')
  const log = store.log(sessionId)
  log.append({ kind: 'SESSION_START', sessionId, cwd: '/w', ...CONFIG })
  let before = store.blobs.put(Buffer.from(textAt(0)))
  for (let step = 1; step <= STEPS; step++) {
    const toolCallId = ToolCallId.parse(`step-${step}`)
    const after = store.blobs.put(Buffer.from(textAt(step)))
    const size = { beforeBytes: LINES, afterBytes: LINES, beforeMode: 0o644, afterMode: 0o644, lines: { added: 1, removed: 1 } }
    const end = { outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
    log.append(
      { kind: 'TOOL_CALL_START', toolCallId, toolName: 'edit_file', args: { file_path: 'long.txt' } },
      { kind: 'FILES_CHANGED', toolCallId, files: [{ path, shown: 'long.txt', before, after, ...size }] },
      { kind: 'TOOL_CALL_END', toolCallId, toolName: 'edit_file', output: 'done', ...end },
    )
    before = after
  }
}

async function startFigure(data: string, project: string): Promise<Figure> {
  const began = performance.now()
  let value = ''
  const watched = await watchMain(async () => {
    const app = await openApp(data, project)
    await firstItem(app.client.sessions.list({}, never()))
    value = `${(performance.now() - began).toFixed(0)} ms`
    await app.close()
  })
  return {
    promise: `start with ${megabytes(bytesIn(data))} MB in ${SESSIONS} sessions`,
    value,
    method: `to the list; main: ${told(watched)}`,
  }
}

async function doctorFigure(data: string): Promise<Figure> {
  const doctor = createDoctor({
    dataFolder: data,
    version: '1',
    now: Date.now,
    isShared: () => false,
    beforeRepair: async () => {},
    afterRepair: async () => {},
  })
  let value = ''
  const watched = await watchMain(async () => {
    const { report } = await doctor.run(false)
    value = `${report?.durationMs ?? Number.NaN} ms, ${report?.events ?? 0} events, ${report?.findings.length ?? 0} findings`
  })
  await doctor.close()
  return {
    promise: `doctor, ${megabytes(bytesIn(data))} MB`,
    value,
    method: `reads everything in a thread of its own, and misses the contents that the seed names but does not store; main: ${told(watched)}`,
  }
}

async function blameFigure(data: string, path: string): Promise<Figure> {
  const blamer = createBlamer(data)
  const asked: number[] = []
  for (let n = 0; n < 5; n++) {
    const began = performance.now()
    const found = await blamer.blame(path, { kind: 'now', bytes: Buffer.from(textAt(STEPS)) }, null)
    if (!found.ok) throw new Error(found.trouble.what)
    asked.push(performance.now() - began)
  }
  await blamer.close()
  const value = `${asked[0]?.toFixed(0)} ms the first time, then ${median(asked.slice(1)).toFixed(0)} ms`
  return { promise: `blame after ${STEPS} changes`, value, method: `all ${LINES} lines of the file, in a history of ${SESSIONS} sessions` }
}

async function inLargeFolder(folder: string): Promise<readonly Figure[]> {
  const project = made(folder, 'project')
  for (let n = 0; n < FILES; n++) {
    if (n % 100 === 0) mkdirSync(join(project, `d${n / 100}`))
    writeFileSync(join(project, `d${Math.floor(n / 100)}/f${n}.txt`), `file ${n}\n`)
  }
  return [await compared(project), ...(await checkpointFigures(made(folder, 'data'), project))]
}

async function compared(project: string): Promise<Figure> {
  const comparison = createFolderComparison(project)
  const times: number[] = []
  let leftOut: readonly string[] = []
  let files = 0
  for (let n = 0; n <= COMMANDS; n++) {
    const began = performance.now()
    const running = await comparison.begin()
    const between = performance.now()
    writeFileSync(join(project, 'd0/f0.txt'), `change ${n}\n`)
    const written = performance.now()
    const found = await running.end()
    times.push(between - began + performance.now() - written)
    if (found.changes.length !== 1) throw new Error(`${found.changes.length} changes were found.`)
    ;({ leftOut, files } = found)
  }
  comparison.dispose()
  const value = `${median(times.slice(1)).toFixed(0)} ms, the first time ${times[0]?.toFixed(0)} ms`
  const method = `both readings, in a thread of their own. ${leftOut.join(' ')}`
  return { promise: `comparing ${files} of ${FILES} files, per command`, value, method }
}

/** Measures the time that reading, storing and recording both sides of a change adds to a step. The step itself is not included. */
async function checkpointFigures(data: string, project: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  await seeded(data, async (store) => {
    const env = createLocalExecutionEnvironment(project)
    const sessionId = SessionId.parse('checkpoints')
    const log = store.log(sessionId)
    log.append({ kind: 'SESSION_START', sessionId, cwd: project, ...CONFIG })
    const place = (name: string) => ({ path: join(project, name), shown: name, outside: false, control: false })
    const sides = { before: null, after: store.blobs.put(Buffer.from('')), beforeBytes: 0, afterBytes: 0, lines: null }
    const write = (name: string): Effect => ({ kind: 'write', ...place(name), ...sides })
    const run = { command: 'true', cwd: project, outside: false, env: {}, timeoutMs: 1000, destructive: false } as const
    const copy: Effect = { kind: 'command', ...run, sandbox: 'copy' }
    const ways: readonly (readonly [string, readonly Effect[], readonly string[]])[] = [
      ['edit_file', [write('d0/long.txt')], ['d0/long.txt']],
      ['write_file, a new file in a new folder', [], []],
      ['a command in a copy that changed 20 files', [copy, ...NAMES.map(write)], NAMES],
    ]
    for (const [what, effects, names] of ways) {
      const times: number[] = []
      for (let n = 0; n <= CHECKPOINTS; n++) {
        const own = names.length > 0 ? names : [`new${n}/deep/file.txt`]
        const began = performance.now()
        const captured = await captureFiles({ env, blobs: store.blobs }, names.length > 0 ? effects : own.map(write))
        const before = performance.now() - began
        for (const name of own) await env.writeFile(join(project, name), textAt(n + 1))
        const written = performance.now()
        const { files, folders } = await captured.changes()
        log.append({ kind: 'FILES_CHANGED', toolCallId: ToolCallId.parse(`${what} ${n}`), files, folders })
        times.push(before + performance.now() - written)
      }
      const method = `median of ${CHECKPOINTS}: both sides read, stored and recorded; files of 20 kB`
      figures.push({ promise: `checkpoint of ${what} (bar < 10 ms)`, value: `${median(times.slice(1)).toFixed(1)} ms`, method })
    }
  })
  return figures
}

const CHECKPOINTS = 50
const NAMES = Array.from({ length: 20 }, (_, n) => `d${n}/f${n * 100}.txt`)

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
