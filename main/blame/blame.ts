import type { Blame, BlameOutcome } from '../../shared/api/changes/blame.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { workerFile } from '../environment/worker-file.ts'
import { createWorkerThread } from '../environment/worker-thread.ts'
import type { Version } from './trace-writers.ts'

export interface BlameRequest {
  readonly id: number
  /** Absolute. */
  readonly path: string
  readonly version: Version
  /** The session in whose layer the file is. Null if it is in the folder. */
  readonly layer: SessionId | null
  /** The key of the file's machine. Null for this computer. */
  readonly machine: string | null
}

/** `blame` is null if the version is no longer stored. */
export type BlameReply =
  | { readonly kind: 'traced'; readonly id: number; readonly blame: Blame | null }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

export interface Blamer {
  /**
   * Tells who wrote each line of a version of the file at this absolute path, according to the records of all sessions. `layer`: the session
   * in whose layer the file is. Null if it is in the folder. `machine`: the key of the file's machine. Default: this computer.
   */
  blame(path: string, version: Version, layer: SessionId | null, machine?: string | null): Promise<BlameOutcome>
  close(): Promise<void>
}

/** Traces lines in its own thread, which starts with the first question. `dataFolder` is null if nothing is on disk in this run. */
export function createBlamer(dataFolder: string | null): Blamer {
  const thread =
    dataFolder === null
      ? null
      : createWorkerThread<Omit<BlameRequest, 'id'>, BlameReply>(() => workerFile('blame-worker', import.meta.url), { dataFolder })
  return {
    async blame(path, version, layer, machine = null) {
      if (thread === null) return { ok: false, trouble: nothingStored }
      const reply = await thread.ask({ path, version, layer, machine })
      if (reply.kind === 'failed') return { ok: false, trouble: notTraced(reply.message) }
      return reply.blame ? { ok: true, blame: reply.blame } : { ok: false, trouble: notStored(path) }
    },
    close: async () => thread?.close(),
  }
}

const notStored = (path: string): Trouble => ({
  code: 'version_not_stored',
  what: `This version of ${path} is no longer stored, so its lines cannot be traced.`,
  kept: 'All sessions are unchanged.',
  todo: 'Ask for the current version of the file.',
})

const notTraced = (message: string): Trouble => ({
  code: 'blame_failed',
  what: `The writers of the lines could not be found: ${message}`,
  kept: 'All sessions and files are unchanged.',
  todo: 'Try again. If it fails again, run the doctor in Settings.',
})

const nothingStored: Trouble = {
  code: 'blame_in_memory',
  what: 'In this run, the history is only in memory, so lines cannot be traced.',
  kept: 'The sessions of this run are kept until the app exits.',
  todo: 'Solve the problem that prevents the history from being saved, then start Countersign again.',
}
