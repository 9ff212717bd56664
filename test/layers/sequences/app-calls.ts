import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import type { ApprovalId } from '../../../shared/lib/ids.ts'
import type { Layer } from './reference.ts'

type Given = Parameters<OpenedSession['answer']>[0]

/** A request to bring in. `after`: the file's text if it is signed as it is. Null if it is deleted. */
export interface Request {
  readonly approvalId: ApprovalId
  readonly hash: string
  readonly step: number
  readonly files: readonly { readonly path: string; readonly after: string | null; readonly conflicts: number }[]
  readonly leftOut: readonly string[]
}

/** `seen`: the text of each path in the layer. `changes`: path, base version and own version of each file that differs. */
export interface Read {
  readonly seen: readonly (readonly [path: string, text: string | null])[]
  readonly changes: readonly (readonly [path: string, base: string | null, own: string | null])[]
}

interface InSession {
  readonly sessionId: string
}

/** The calls of a test to the app in another process. They reject if they fail. */
export interface AppCalls {
  /** Starts a session beside the folder. */
  start(given: { readonly folder: string; readonly kind: Layer['kind'] }): Promise<string>
  /** Runs one turn, and returns its calls. */
  ask(
    given: InSession & { readonly text: string },
  ): Promise<readonly { readonly step: number; readonly status: string; readonly output: string }[]>
  /** Null if the session has had no turn yet. */
  fork(given: InSession): Promise<string | null>
  offer(given: InSession): Promise<{ readonly bringIn: string; readonly request: Request | null }>
  answer(given: InSession & Pick<Given, 'approvalId' | 'hash' | 'answer'>): Promise<void>
  /** Returns what was skipped. */
  undo(given: InSession & { readonly step: number }): Promise<readonly string[]>
  /** Undoes a step of the session that brings in the work of this one. */
  undoBringIn(given: InSession & { readonly step: number }): Promise<readonly string[]>
  moved(given: InSession): Promise<readonly string[]>
  takeOver(given: InSession): Promise<void>
  read(given: InSession & { readonly paths: readonly string[] }): Promise<Read>
  /** Discards sessions that are no longer needed. */
  leave(given: { readonly sessionIds: readonly string[] }): Promise<void>
  close(given: null): Promise<void>
}
