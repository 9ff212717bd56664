import type { Capabilities, Hello } from '../shared/api/app.ts'
import type { SessionId } from '../shared/lib/ids.ts'
import type { Secrets } from './settings/secrets.ts'

/** A notification for a person who has no window in front. */
export interface Note {
  readonly title: string
  readonly body: string
  /** A click on the notification opens this session. */
  readonly sessionId: SessionId
}

/**
 * What only a shell can do. `capabilities` lists what it supports, so that other buttons are hidden; an unsupported call does nothing and
 * says so. No method rejects.
 */
export interface Host {
  readonly shell: Hello['shell']
  readonly capabilities: Capabilities
  /** Stores the person's keys: in the system's keychain if there is one, otherwise in memory. */
  readonly secrets: Secrets
  /** Opens the system's folder dialog; null: nothing was chosen. */
  pickFolder(): Promise<string | null>
  /** Shows a file in the system's file manager if, links resolved, it is in one of the open folders. Never opens or runs it. */
  reveal(path: string, openFolders: readonly string[]): Promise<boolean>
  /** Opens an https address in the person's browser, after asking with the host shown; `why`: why it was not opened. */
  openLink(url: string): Promise<{ readonly opened: boolean; readonly why: string | null }>
  /** Shows a system notification, unless one of our windows has the focus. */
  notify(note: Note): void
}
