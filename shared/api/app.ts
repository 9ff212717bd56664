import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { Trouble } from '../session/events.ts'
import type { Done } from './sessions.ts'

/** What only some shells can do; unsupported buttons are hidden, never broken. */
export interface Capabilities {
  readonly folderDialog: boolean
  /** `app.notify` shows notifications. In the browser shell the page shows its own. */
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
  /** The data folder, as the person would type it. */
  readonly dataFolder: string
  /** A folder to open first, from the command line; null: none. */
  readonly openFolder: string | null
}

/** What was asked for from outside a window: by a link, a notification or a second start. */
export type AskedToShow = { readonly kind: 'folder'; readonly folder: string } | { readonly kind: 'session'; readonly sessionId: string }

/** The state of storage; `trouble` null: everything is being saved. */
export interface StorageHealth {
  readonly trouble: Trouble | null
  readonly onDisk: number
  readonly listed: number
}

/** A command that still runs after its Countersign process was killed. */
export interface LeftCommand {
  readonly id: string
  readonly command: string
  readonly folder: string
  /** Start time, in ms since 1970; null: unknown. */
  readonly since: number | null
  /** Number of its processes. */
  readonly processes: number
  /** The session that ran it; null: unknown. */
  readonly sessionId: SessionId | null
  /** It was asked to end and has not yet. */
  readonly isEnding: boolean
}

/** The editors on this computer that have their own windows. */
export interface FoundEditors {
  readonly editors: readonly { readonly id: string; readonly label: string }[]
  /** The editor in `$VISUAL`, if found; null: none. An editor that runs in a terminal is not started. */
  readonly visual: { readonly name: string; readonly needsTerminal: boolean } | null
}

/** A file as a session names it: relative to the session's folder, or absolute. */
const NamedFile = { sessionId: SessionId, path: z.string().min(1).max(4096) }

export const appApi = {
  hello: command({ input: z.object({}), output: returns<Hello>() }),
  health: stream({ input: z.object({}), item: items<StorageHealth>() }),
  /** Commands left running that wait for `settleLeft`, oldest first; sent again after each change. */
  leftCommands: stream({ input: z.object({}), item: items<readonly LeftCommand[]>() }),
  /** Ends a command that was left running (SIGTERM, 2 s, SIGKILL; answered when it is gone), or lets it run and stops offering it. */
  settleLeft: command({ input: z.object({ id: z.string().max(80), decision: z.enum(['end', 'keep']) }), output: returns<Done>() }),
  /** Shows a system notification (desktop) unless one of our windows has the focus. A click opens the session and answers nothing. */
  notify: command({
    input: z.object({ title: z.string().max(200), body: z.string().max(400), sessionId: SessionId }),
    output: returns<Record<never, never>>(),
  }),
  /** Opens the system's folder dialog (desktop); null: nothing was chosen. */
  pickFolder: command({ input: z.object({}), output: returns<{ readonly folder: string | null }>() }),
  /** Shows a file in the file manager (desktop); refused unless, links resolved, it is in an open folder. */
  reveal: command({ input: z.object(NamedFile), output: returns<Done>() }),
  /** Opens a file in the person's editor; refused unless, links resolved, it is in an open folder. `line` starts at 1. */
  openInEditor: command({ input: z.object({ ...NamedFile, line: z.number().int().min(1).nullable() }), output: returns<Done>() }),
  /** The editors found on this computer. */
  editors: command({ input: z.object({}), output: returns<FoundEditors>() }),
  /** Opens an https address in the system's browser, after main has checked it. */
  openLink: command({
    input: z.object({ url: z.string().max(2048) }),
    output: returns<{ readonly opened: boolean; readonly why: string | null }>(),
  }),
}
