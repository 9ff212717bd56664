import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DoctorReport, DoctorState } from '../../../shared/api/doctor.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { workerFile } from '../../environment/worker-file.ts'
import { databaseClass } from '../database/database.ts'
import { takeRepairLock } from '../claims/life-lock.ts'
import { codeOf } from '../database/storage-trouble.ts'
import { isCheckDue, keepReport, lastReport } from './check-schedule.ts'
import type { Examined } from './examine.ts'

export interface DoctorTask {
  readonly dataFolder: string
  readonly wantsRepair: boolean
}

export type DoctorMessage =
  | { readonly kind: 'progress'; readonly read: number }
  | { readonly kind: 'done'; readonly examined: Examined; readonly repaired: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }

export interface Doctor {
  state(): DoctorState
  onChange(listener: () => void): Disposable
  /** Checks everything that is stored, in its own thread. If a check is already running, waits for it first. */
  run(wantsRepair: boolean): Promise<DoctorState>
  /**
   * Starts a check after `START_AFTER_MS` if one is due: this version has not made a check yet, or a process has ended without closing its
   * store.
   */
  runIfDue(): void
  close(): Promise<void>
}

export interface DoctorParts {
  /** Null if this run stores nothing on disk. */
  readonly dataFolder: string | null
  readonly version: string
  readonly now: () => number
  /** Whether another process has the data folder open. If so, nothing is repaired. */
  readonly isShared: () => boolean | Promise<boolean>
  /** Called before a repair. Closes the search index, which the repair may replace, and each of the given sessions that is idle. */
  readonly beforeRepair: (sessionIds: readonly SessionId[]) => Promise<void>
  /** Called after a repair. Builds the search index again if it was removed. */
  readonly afterRepair: () => Promise<void>
}

/**
 * Delay in ms before the check starts, because the check competes for the disk. By then, the window is usable and the sessions are listed.
 */
const START_AFTER_MS = 2_000

export function createDoctor({ dataFolder, version, now, isShared, beforeRepair, afterRepair }: DoctorParts): Doctor {
  const changed = new Emitter<void>()
  let state: DoctorState = { running: null, report: dataFolder === null ? null : lastReport(dataFolder), trouble: null }
  let current: Promise<unknown> = Promise.resolve()
  let thread: Worker | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const set = (next: Partial<DoctorState>): void => {
    state = { ...state, ...next }
    changed.fire()
  }
  const check = async (folder: string, wantsRepair: boolean): Promise<void> => {
    if (isClosed) return
    set({ running: { read: 0 }, trouble: null })
    let right: Disposable | null = null
    try {
      right = wantsRepair ? await rightToRepair(folder) : NO_LOCK
      if (!right || (wantsRepair && (await isShared()))) return set({ running: null, trouble: REPAIR_SHARED })
      await checkWithRight(folder, wantsRepair)
    } catch (error) {
      // For example, the folder of locks may be unreadable. If this check rejected, no later check would run.
      set({ running: null, trouble: notChecked(error instanceof Error ? error.message : String(error), wantsRepair) })
    } finally {
      right?.dispose()
    }
    if (wantsRepair && state.trouble === null) await afterRepair()
  }
  const checkWithRight = async (folder: string, wantsRepair: boolean): Promise<void> => {
    const startedAt = performance.now()
    if (wantsRepair)
      await beforeRepair((state.report?.findings ?? []).flatMap(({ isRepairable, sessionId }) => (isRepairable && sessionId) || []))
    const outcome = await inThread(
      { dataFolder: folder, wantsRepair },
      (worker) => (thread = worker),
      (read) => set({ running: { read } }),
    )
    thread = null
    if (outcome.kind === 'failed') return set({ running: null, trouble: notChecked(outcome.message, wantsRepair) })
    const { examined, repaired } = outcome
    const report: DoctorReport = { at: now(), version, durationMs: Math.round(performance.now() - startedAt), ...examined, repaired }
    keepReport(folder, report)
    set({ running: null, report })
  }
  const run = async (wantsRepair: boolean): Promise<DoctorState> => {
    if (dataFolder === null) return { running: null, report: null, trouble: IN_MEMORY }
    const own = current.then(() => check(dataFolder, wantsRepair))
    current = own
    await own
    return state
  }
  return {
    state: () => state,
    onChange: changed.event,
    run,
    runIfDue() {
      if (dataFolder === null || !isCheckDue(dataFolder, version)) return
      timer = setTimeout(() => void run(false), START_AFTER_MS)
      timer.unref()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await thread?.terminate()
    },
  }
}

const NO_LOCK: Disposable = disposable(() => {})

/**
 * Acquires the right to repair; null if another process is repairing. If nothing can be written here, no right is needed, because the
 * repair changes nothing.
 */
async function rightToRepair(dataFolder: string): Promise<Disposable | null> {
  const folder = join(dataFolder, 'leases')
  if (!existsSync(folder)) return NO_LOCK
  try {
    return takeRepairLock(await databaseClass(), folder)
  } catch (error) {
    if (['storage_read_only', 'storage_unreadable', 'storage_full'].includes(codeOf(error))) return NO_LOCK
    throw error
  }
}

function inThread(
  task: DoctorTask,
  onStart: (worker: Worker) => void,
  onProgress: (read: number) => void,
): Promise<Exclude<DoctorMessage, { kind: 'progress' }>> {
  return new Promise((resolve) => {
    const worker = new Worker(workerFile('doctor-worker', import.meta.url), { workerData: task })
    onStart(worker)
    worker.on('message', (message: DoctorMessage) => (message.kind === 'progress' ? onProgress(message.read) : resolve(message)))
    worker.on('error', (error: Error) => resolve({ kind: 'failed', message: error.message }))
    worker.on('exit', () => resolve({ kind: 'failed', message: 'The check was stopped.' }))
  })
}

const notChecked = (message: string, wantsRepair: boolean): Trouble => ({
  code: 'doctor_failed',
  what: `The stored history could not be ${wantsRepair ? 'repaired' : 'checked'}: ${message}`,
  kept: wantsRepair
    ? 'Nothing is lost: damaged text is saved to set-aside.jsonl before it is replaced.'
    : 'Everything is unchanged, because a check changes nothing.',
  todo: `${wantsRepair ? 'Repair' : 'Check'} again. If it fails again, check the data folder’s disk.`,
})

const REPAIR_SHARED: Trouble = {
  code: 'repair_shared',
  what: 'Another Countersign process has this data folder open, so nothing was repaired.',
  kept: 'Everything is unchanged.',
  todo: 'Close the other window or stop the other run, then repair again.',
}

const IN_MEMORY: Trouble = {
  code: 'doctor_in_memory',
  what: 'In this run, the history is only in memory, so there is nothing to check.',
  kept: 'The sessions of this run are kept until the app exits.',
  todo: 'Solve the problem that prevents the history from being saved, then start Countersign again.',
}
