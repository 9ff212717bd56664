import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRecord, type SessionRecord } from '../../../main/agent/record/record.ts'
import type { ExecutionEnvironment } from '../../../main/agent/ports/execution-environment.ts'
import { captureFiles } from '../../../main/changes/capture.ts'
import { readChanges } from '../../../main/changes/undo/read-changes.ts'
import { createUndo, type Undo } from '../../../main/changes/undo/undo.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local.ts'
import { systemClock } from '../../../main/providers/system-clock.ts'
import type { Store } from '../../../main/store/store.ts'
import { BlobHash, type SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'

/** Content by path; null: no file. */
export type Files = Readonly<Record<string, string | null>>

/** What happens to the process, or beside it, just before the nth change that an undo makes to the disk. */
export interface Disturbance {
  readonly at: number
  readonly what: 'kill-before' | 'kill-after' | { readonly path: string; readonly content: string | null }
}

interface Disturbed<T> {
  readonly died: boolean
  readonly happened: boolean
  /** Null: it died. */
  readonly value: T | null
}

/** A folder, a session's log, an agent that changes files, and a person who changes them too. Everything is real but the agent's mind. */
export interface UndoWorld {
  readonly paths: readonly string[]
  /** The content of all paths now. */
  disk(): Files
  /** A person writes or removes a file. */
  edit(path: string, content: string | null): void
  /** One recorded step of the agent. */
  step(files: Files): Promise<void>
  record(): SessionRecord
  undo(): Undo
  /** Runs with a disturbance, if it comes to that. `died`: the process was killed, and a new one has finished the undo. */
  disturbed<T>(disturbance: Disturbance | null, work: (undo: Undo) => Promise<T>): Promise<Disturbed<T>>
  /** Files in the folder that nobody put there. */
  litter(): readonly string[]
  has(content: string): boolean
  remove(): void
}

/** A file system in memory, where a sync costs nothing. */
const MEMORY = '/dev/shm'

export function createUndoWorld(store: Store, sessionId: SessionId, paths: readonly string[]): UndoWorld {
  const folder = realpathSync(mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'countersign-undo-')))
  const env = createLocalExecutionEnvironment(folder)
  const { blobs } = store
  let record = open()
  let steps = 0

  function open(): SessionRecord {
    return createRecord({ sessionId, log: store.log(sessionId), clock: systemClock })
  }
  const undoIn = (environment: ExecutionEnvironment): Undo =>
    createUndo({ env: environment, blobs, changes: () => readChanges(store, sessionId), exclusively: (work) => work() })
  const edit = (path: string, content: string | null): void => {
    const at = join(folder, path)
    if (content === null) return rmSync(at, { force: true })
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, content)
    chmodSync(at, 0o644)
  }
  const contentAt = (path: string): string | null => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null)
  return {
    paths,
    edit,
    disk: () => Object.fromEntries(paths.map((path) => [path, contentAt(path)])),
    async step(files) {
      const toolCallId = ToolCallId.parse(`call-${++steps}`)
      record.append({ kind: 'TOOL_CALL_START', toolCallId, toolName: 'apply_patch', args: {} })
      const captured = await captureFiles(
        { env, blobs },
        Object.keys(files).map((path) => effectOn(folder, path)),
      )
      for (const [path, content] of Object.entries(files)) edit(path, content)
      const { files: changed } = await captured.changes()
      record.append(
        { kind: 'FILES_CHANGED', toolCallId, files: changed },
        {
          ...{ kind: 'TOOL_CALL_END', toolCallId, toolName: 'apply_patch', output: '', outputBlob: null, modelText: null },
          ...{ isError: false, outcome: 'done', durationMs: 1, details: null },
        },
        { kind: 'PROCESSING_END', reason: 'completed' },
      )
    },
    record: () => record,
    undo: () => undoIn(env),
    async disturbed(disturbance, work) {
      if (disturbance === null) return { died: false, happened: false, value: await work(undoIn(env)) }
      const death = Promise.withResolvers<void>()
      let changes = 0
      let happened = false
      const disturb = <A extends readonly unknown[]>(change: (...given: A) => Promise<void>) => {
        return async (...given: A): Promise<void> => {
          if (changes++ !== disturbance.at) return change(...given)
          const { what } = disturbance
          happened = true
          if (typeof what === 'object') {
            edit(what.path, what.content)
            return change(...given)
          }
          if (what === 'kill-after') await change(...given).catch(() => {})
          death.resolve()
          return new Promise<never>(() => {})
        }
      }
      const disturbedEnv: ExecutionEnvironment = {
        ...env,
        writeBytes: disturb(env.writeBytes),
        rename: disturb(env.rename),
        deleteFile: disturb(env.deleteFile),
      }
      const died = death.promise.then(() => ({ died: true, value: null }))
      const outcome = await Promise.race([died, work(undoIn(disturbedEnv)).then((value) => ({ died: false, value }))])
      if (outcome.died) {
        record.dispose()
        record = open()
        await undoIn(env).finish(record)
      }
      return { ...outcome, happened }
    },
    litter: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter((path) => !paths.includes(path)),
    has: (content) => blobs.has(BlobHash.parse(createHash('sha256').update(content).digest('hex'))),
    remove() {
      record.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Only the path counts: what a step names is captured, and the test makes the change itself. */
function effectOn(folder: string, path: string): Effect {
  const place = { path: join(folder, path), shown: path, outside: false, control: false }
  return { kind: 'write', ...place, before: null, after: BlobHash.parse('0'.repeat(64)), beforeBytes: 0, afterBytes: 0, lines: null }
}
