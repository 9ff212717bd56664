import type { Capabilities, Hello } from '../shared/api/app.ts'
import type { UpdateState } from '../shared/api/updates.ts'
import { type Disposable, disposable } from '../shared/lib/disposable.ts'
import type { SessionId } from '../shared/lib/ids.ts'
import type { Secrets } from './settings/secrets.ts'
import type { QuitQuestions } from './quit-questions.ts'
import type { SystemTroubles } from './system-troubles.ts'

/** A notification for a user who has no window of the app in focus. */
export interface Note {
  readonly title: string
  readonly body: string
  /** A click on the notification opens this session. */
  readonly sessionId: SessionId
}

/** New versions of the app. No method rejects. */
export interface Updates {
  readonly current: () => UpdateState
  /** Calls the listener after each change. */
  readonly onChange: (listener: () => void) => Disposable
  /** Looks for a new version. Downloads it if the settings say so. */
  look(): Promise<void>
  /** Downloads the version that was found. */
  download(): Promise<void>
  /** Quits, installs the downloaded version and starts it. Asks first if something is running. */
  restart(): void
}

/** The updates of a shell that does not update itself. */
export const noUpdates = (why: string): Updates => ({
  current: () => ({ kind: 'unavailable', why }),
  onChange: () => disposable(() => {}),
  look: () => Promise.resolve(),
  download: () => Promise.resolve(),
  restart: () => {},
})

/**
 * Functions that only a shell (desktop or browser) can provide. `capabilities` lists the functions that this shell supports, so that the
 * page can hide the buttons for the others. An unsupported call has no effect, and returns null, false or `opened: false`. No method
 * rejects.
 */
export interface Host {
  readonly shell: Hello['shell']
  readonly capabilities: Capabilities
  /** Stores the user's keys: in the system's keychain if there is one, otherwise in memory. */
  readonly secrets: Secrets
  readonly systemTroubles: SystemTroubles
  readonly quitQuestions: QuitQuestions
  readonly updates: Updates
  /** Opens the system's folder dialog. Resolves to null if nothing was chosen. */
  pickFolder(): Promise<string | null>
  /** Shows a file in the system's file manager if its real path is in one of the open folders. Never opens or runs the file. */
  reveal(path: string, openFolders: readonly string[]): Promise<boolean>
  /**
   * Opens an https address in the user's browser after a dialog that shows the host. `why` is the reason if the address was not opened.
   */
  openLink(url: string): Promise<{ readonly opened: boolean; readonly why: string | null }>
  /** Shows a system notification, unless one of our windows has the focus. */
  notify(note: Note): void
}
