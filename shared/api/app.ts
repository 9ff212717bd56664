import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { Trouble } from '../session/events.ts'
import type { Done } from './sessions.ts'

/** What only some shells can do; a missing one makes its button absent, never broken (DESIGN §1). */
export interface Capabilities {
  readonly folderDialog: boolean
  /** `app.notify` shows notifications. In the browser shell the page has its own. */
  readonly notifications: boolean
  readonly reveal: boolean
  readonly keychain: boolean
}

export interface Hello {
  readonly version: string
  readonly shell: 'desktop' | 'browser'
  readonly platform: string
  readonly home: string
  readonly capabilities: Capabilities
  /** Where the data lies, as the person would type it. */
  readonly dataFolder: string
  /** A folder given on the command line, to be opened first; else null. */
  readonly openFolder: string | null
}

/** What somebody asked for from outside a window: a link, a notification, a second start. */
export type AskedToShow = { readonly kind: 'folder'; readonly folder: string } | { readonly kind: 'session'; readonly sessionId: string }

/** Storage as it stands: null when everything is being saved. */
export interface StorageHealth {
  readonly trouble: Trouble | null
  readonly onDisk: number
  readonly listed: number
}

/** A command of the agent that goes on although the Countersign that ran it was killed. */
export interface LeftCommand {
  readonly id: string
  readonly command: string
  readonly folder: string
  /** When it began, in ms since 1970; null: not known. */
  readonly since: number | null
  /** How many processes it has. */
  readonly processes: number
  /** Whose command it was; null: not known. */
  readonly sessionId: SessionId | null
  /** Was told to end and has not yet. */
  readonly isEnding: boolean
}

/** The editors of this computer that have windows of their own. */
export interface FoundEditors {
  readonly editors: readonly { readonly id: string; readonly label: string }[]
  /** What `$VISUAL` names, where it can be found; null: nothing. One that draws in a terminal is not started. */
  readonly visual: { readonly name: string; readonly needsTerminal: boolean } | null
}

/** A file as a session names it: relative to the session's folder, or absolute. */
const NamedFile = { sessionId: SessionId, path: z.string().min(1).max(4096) }

export const appApi = {
  hello: command({ input: z.object({}), output: returns<Hello>() }),
  health: stream({ input: z.object({}), item: items<StorageHealth>() }),
  /** What was left running and waits for `settleLeft`, oldest first; told anew when something comes, goes or ends by itself. */
  leftCommands: stream({ input: z.object({}), item: items<readonly LeftCommand[]>() }),
  /** Ends a command that was left running (SIGTERM, 2 s, SIGKILL; answered when it is gone), or lets it run and offers it no more. */
  settleLeft: command({ input: z.object({ id: z.string().max(80), decision: z.enum(['end', 'keep']) }), output: returns<Done>() }),
  /** Shows a notification of the system (desktop) unless a window of ours has the focus. A click on it shows the session and answers nothing. */
  notify: command({
    input: z.object({ title: z.string().max(200), body: z.string().max(400), sessionId: SessionId }),
    output: returns<Record<never, never>>(),
  }),
  /** Opens the system's folder dialog (desktop); null when nothing was chosen. */
  pickFolder: command({ input: z.object({}), output: returns<{ readonly folder: string | null }>() }),
  /** Shows a file in the file manager (desktop); refused unless, links resolved, it lies in an open folder. */
  reveal: command({ input: z.object(NamedFile), output: returns<Done>() }),
  /** Opens a file in the person's editor; refused unless, links resolved, it lies in an open folder. `line` from 1. */
  openInEditor: command({ input: z.object({ ...NamedFile, line: z.number().int().min(1).nullable() }), output: returns<Done>() }),
  /** The editors that were found on this computer. */
  editors: command({ input: z.object({}), output: returns<FoundEditors>() }),
  /** Asks the system to open an https address, after main has checked it (security 1, row 15). */
  openLink: command({
    input: z.object({ url: z.string().max(2048) }),
    output: returns<{ readonly opened: boolean; readonly why: string | null }>(),
  }),
}
