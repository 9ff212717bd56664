import type { Capabilities, Hello } from '../shared/api/app.ts'
import type { SessionId } from '../shared/lib/ids.ts'
import type { Secrets } from './settings/secrets.ts'

/** Something that the person should hear about while no window is in front. */
export interface Note {
  readonly title: string
  readonly body: string
  /** A click on the notification shows this session. */
  readonly sessionId: SessionId
}

/**
 * What only a shell can do (DESIGN §1). What it cannot do is announced in `capabilities`, so that its button is absent; asked all the same, it does
 * nothing and says so. No method rejects.
 */
export interface Host {
  readonly shell: Hello['shell']
  readonly capabilities: Capabilities
  /** Where the person's keys are kept: the system's keychain where there is one, else memory. */
  readonly secrets: Secrets
  /** The system's folder dialog; null when nothing was chosen. */
  pickFolder(): Promise<string | null>
  /** Shows a file in the system's file manager if, links resolved, it lies in one of the open folders; never opens or runs it. */
  reveal(path: string, openFolders: readonly string[]): Promise<boolean>
  /** Opens an https address in the person's browser, after asking with the host shown; `why` says what stood against it. */
  openLink(url: string): Promise<{ readonly opened: boolean; readonly why: string | null }>
  /** Shows a notification of the system, unless a window of ours has the focus. */
  notify(note: Note): void
}
