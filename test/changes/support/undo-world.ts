import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FolderComparison } from '../../../main/agent/ports/folder-comparison.ts'
import { createRecord, type SessionRecord } from '../../../main/agent/record/session-record.ts'
import type { ExecutionEnvironment } from '../../../main/agent/ports/execution-environment.ts'
import { captureFiles } from '../../../main/changes/capture-files.ts'
import { readChanges } from '../../../main/changes/undo/read-changes.ts'
import { createUndo, type Undo, type UndoParts } from '../../../main/changes/undo/undo.ts'
import { compareReadings } from '../../../main/environment/comparison/compare-readings.ts'
import { type ReadingBudget, readFolder } from '../../../main/environment/comparison/read-folder.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import type { Store } from '../../../main/store/store.ts'
import { BlobHash, type SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import { type Entry, entryAt, isRelated, makeEntry } from './entries.ts'

/** What is at each path. */
export type Files = Readonly<Record<string, Entry>>

/**
 * How a step of the agent changes files: with an edit tool, with a command in a copy, or with a real command, whose changes are found by
 * comparing the folder. `subagent`: the step belongs to a subagent that works in the folder itself.
 */
export interface StepWay {
  readonly by: 'tool' | 'copy' | 'command'
  readonly subagent: boolean
}

/** What happens to the process or to a file just before the nth change that an undo makes to the disk. */
export interface Disturbance {
  readonly at: number
  readonly what: 'kill-before' | 'kill-after' | { readonly path: string; readonly content: Entry }
}

interface Disturbed<T> {
  readonly died: boolean
  readonly happened: boolean
  /** Null if the process died. */
  readonly value: T | null
}

/**
 * A folder, a session's log, an agent that changes files, and a user who also changes files. Everything is real except the agent's model.
 */
export interface UndoWorld {
  readonly paths: readonly string[]
  /** Returns what is at each path now. */
  disk(): Files
  /** Changes a path as a user would. */
  edit(path: string, content: Entry): void
  /** Records one step of the agent. `begun` is called when the step has begun but has not changed anything yet. */
  step(files: Files, way: StepWay, begun?: () => void): Promise<void>
  record(): SessionRecord
  undo(sign?: UndoParts['sign']): Undo
  /**
   * Runs the work, and applies the disturbance if the undo gets as far as the nth change. `died`: the process was killed, and a new process
   * has finished the undo.
   */
  disturbed<T>(disturbance: Disturbance | null, work: (undo: Undo) => Promise<T>): Promise<Disturbed<T>>
  /** Entries in the folder that neither the agent nor the user created. */
  litter(): readonly string[]
  has(content: string): boolean
  remove(): void
}

/** A file system in memory, where syncing costs nothing. */
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
  const undoIn = (environment: ExecutionEnvironment, sign: UndoParts['sign'] = () => {}): Undo =>
    createUndo({ env: environment, blobs, changes: () => readChanges(store, sessionId), exclusively: (work) => work(), sign })
  const edit = (path: string, content: Entry): void => makeEntry(folder, path, content)
  const subagentRecord = (toolCallId: ToolCallId): SessionRecord => {
    const parent = { sessionId, toolCallId, agentType: 'code', depth: 1, readsOnly: false, lease: NO_LEASE }
    const child = store.sessions.create({
      cwd: folder,
      provider: 'anthropic',
      model: 'm',
      mode: 'full',
      effort: null,
      baseUrl: null,
      parent,
    })
    return createRecord({ sessionId: child, log: store.log(child), clock: systemClock })
  }
  return {
    paths,
    edit,
    disk: () => Object.fromEntries(paths.map((path) => [path, entryAt(join(folder, path))])),
    async step(files, { by, subagent }, begun = () => {}) {
      const toolCallId = ToolCallId.parse(`call-${++steps}`)
      record.append({ kind: 'TOOL_CALL_START', toolCallId, toolName: subagent ? 'spawn_agent' : 'apply_patch', args: {} })
      const compared = { folder, comparison: comparisonOf(folder) }
      const named = by === 'tool' ? Object.keys(files) : paths.filter((place) => Object.keys(files).some((path) => isRelated(place, path)))
      const captured = await captureFiles({ env, blobs, compared }, effectsOf(folder, by, named))
      begun()
      for (const [path, content] of Object.entries(files)) edit(path, content)
      const changes = await captured.changes()
      const own = subagent ? subagentRecord(toolCallId) : record
      if (subagent) own.append({ kind: 'TOOL_CALL_START', toolCallId, toolName: 'apply_patch', args: {} })
      own.append({ kind: 'FILES_CHANGED', toolCallId, ...changes })
      if (subagent) own.dispose()
      record.append(
        {
          kind: 'TOOL_CALL_END',
          toolCallId,
          toolName: 'apply_patch',
          output: '',
          outputBlob: null,
          modelText: null,
          isError: false,
          outcome: 'done',
          durationMs: 1,
          details: null,
        },
        { kind: 'PROCESSING_END', reason: 'completed' },
      )
    },
    record: () => record,
    undo: (sign) => undoIn(env, sign),
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
        symlink: disturb(env.symlink),
        setMode: disturb(env.setMode),
        createFolder: disturb(env.createFolder),
        removeFolder: disturb(env.removeFolder),
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
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter((path) => !paths.includes(path)),
    has: (content) => blobs.has(BlobHash.parse(createHash('sha256').update(content).digest('hex'))),
    remove() {
      record.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const NO_LEASE = { tokens: null, costUsd: null, minutes: null, turns: null }

const BUDGET: ReadingBudget = { files: 1000, ms: 10_000, fileBytes: 100_000, totalBytes: 1_000_000 }

/** The real comparison without its thread, which would have to be started for each of a thousand folders. */
function comparisonOf(folder: string): FolderComparison {
  return {
    prepare: () => {},
    begin() {
      const before = readFolder({ folder, budget: BUDGET }, new Map())
      return Promise.resolve({
        end: () => Promise.resolve(compareReadings(before, readFolder({ folder, budget: BUDGET }, before.files), BUDGET)),
        drop: () => {},
      })
    },
    dispose: () => {},
  }
}

/**
 * Returns effects with these paths. Only the paths matter: the files that a step lists are captured, and the test makes the changes
 * itself.
 */
function effectsOf(folder: string, by: StepWay['by'], paths: readonly string[]): readonly Effect[] {
  const run = { kind: 'command', command: 'true', cwd: folder, outside: false, env: {}, timeoutMs: 1000, destructive: false } as const
  if (by === 'command') return [run]
  const places = paths.map((path) => ({ path: join(folder, path), shown: path, outside: false, control: false }))
  if (by === 'copy')
    return [{ ...run, sandbox: 'copy' }, ...places.map((place) => ({ kind: 'link', ...place, before: null, after: null }) as const)]
  const sizes = { before: null, after: BlobHash.parse('0'.repeat(64)), beforeBytes: 0, afterBytes: 0, lines: null }
  return places.map((place) => ({ kind: 'write', ...place, ...sizes }))
}
