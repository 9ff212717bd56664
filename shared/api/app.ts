import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { Trouble } from '../session/events.ts'
import type { Done } from './sessions.ts'

/** Features that only some shells (desktop or browser) have. The page offers only what its shell supports. */
export interface Capabilities {
  readonly folderDialog: boolean
  /** Whether `app.notify` shows notifications. In the browser shell, the page shows its own. */
  readonly notifications: boolean
  readonly reveal: boolean
}

export interface Hello {
  readonly version: string
  readonly shell: 'desktop' | 'browser'
  readonly platform: string
  readonly home: string
  readonly capabilities: Capabilities
  /** The data folder as the user would type it. */
  readonly dataFolder: string
  /** A folder from the command line, to open first. Null if there is none. */
  readonly openFolder: string | null
}

/**
 * A request from outside a window: from a link, a notification, a second start or the menu. `section`: the id of a section of the settings.
 */
export type AskedToShow =
  | { readonly kind: 'folder'; readonly folder: string }
  /** `wasShown`: the window showed the session before the restart. If the session is gone, the page shows no error. */
  | { readonly kind: 'session'; readonly sessionId: string; readonly wasShown: boolean }
  | { readonly kind: 'settings'; readonly section: string }
  | { readonly kind: 'command'; readonly command: MenuCommand }

/** The commands of the page that are also in the application menu. Each has the id of the page's command. None of them starts work. */
export const MENU_COMMANDS = ['folder', 'settings', 'history', 'keys'] as const
export type MenuCommand = (typeof MENU_COMMANDS)[number]

/** A problem with the operating system. `title` fits in the status strip. */
export interface SystemTrouble extends Trouble {
  readonly title: string
}

/** The state of storage. `trouble` is null if everything is being saved. */
export interface StorageHealth {
  readonly trouble: Trouble | null
  readonly onDisk: number
  readonly listed: number
}

/** A command that kept running after its Countersign process was killed. */
export interface LeftCommand {
  readonly id: string
  readonly command: string
  readonly folder: string
  /** Start time in ms since 1970. Null if unknown. */
  readonly since: number | null
  /** Number of processes of the command. */
  readonly processes: number
  /** The session that ran the command. Null if unknown. */
  readonly sessionId: SessionId | null
  /** Whether the command was asked to end but has not ended yet. */
  readonly isEnding: boolean
}

/** The editors on this computer that have their own windows. */
export interface FoundEditors {
  readonly editors: readonly { readonly id: string; readonly label: string }[]
  /**
   * The editor that `$VISUAL` names, if that editor was found. Null if there is none. An editor that needs a terminal is listed here but is
   * not started.
   */
  readonly visual: { readonly name: string; readonly needsTerminal: boolean } | null
}

/**
 * Where the variables of commands come from. `as_started`: from the terminal or script that started the app. `from_shell`: started without
 * a terminal, so the user's shell was asked. The lists are the folders added to PATH, and the names of the other new or changed variables.
 */
export type LaunchVariables =
  | { readonly kind: 'as_started' }
  | { readonly kind: 'from_shell'; readonly shell: string; readonly folders: readonly string[]; readonly names: readonly string[] }
  | { readonly kind: 'failed'; readonly shell: string; readonly why: string }

/** Something that ends when the app quits. */
export interface RunningWork {
  /** The session's title. */
  readonly title: string
  readonly what: 'a turn' | 'a command' | 'your terminal'
}

/** Asked before the app quits while something runs. `wayBack`: how to come back to work that keeps running without a window. */
export interface QuitQuestion {
  readonly id: number
  readonly work: readonly RunningWork[]
  readonly wayBack: string
}

const QuitAnswer = z.enum(['keep', 'stop', 'cancel'])
export type QuitAnswer = z.infer<typeof QuitAnswer>

/** Something that the agent uses, which this computer has or lacks. `remedy`: the command that installs it. Null if there is none. */
export interface MachineFact {
  readonly name: string
  readonly state: 'there' | 'missing'
  readonly words: string
  readonly remedy: string | null
}

/** A file with a path as a session uses it: relative to the session's folder, or absolute. */
const NamedFile = { sessionId: SessionId, path: z.string().min(1).max(4096) }

export const appApi = {
  hello: command({ input: z.object({}), output: returns<Hello>() }),
  health: stream({ input: z.object({}), item: items<StorageHealth>() }),
  /** The licenses of all packages in the app, as one text. Null if the app runs from its source without a build. */
  licenses: command({ input: z.object({}), output: returns<{ readonly text: string | null }>() }),
  /** Problems with the operating system, such as notifications that it refuses. The list is sent again after each change. */
  systemTroubles: stream({ input: z.object({}), item: items<readonly SystemTrouble[]>() }),
  /** The question before quitting (desktop). Null if none is open. Sent again after each change. */
  quitQuestion: stream({ input: z.object({}), item: items<QuitQuestion | null>() }),
  /** To be called when the question is visible. Without this call, the system's own dialog asks after 1.5 s. */
  quitQuestionDrawn: command({ input: z.object({ id: z.number().int() }), output: returns<Record<never, never>>() }),
  /** An answer to a question that is no longer open does nothing. */
  answerQuit: command({ input: z.object({ id: z.number().int(), answer: QuitAnswer }), output: returns<Record<never, never>>() }),
  /** Commands that kept running and wait for `settleLeft`, oldest first. The list is sent again after each change. */
  leftCommands: stream({ input: z.object({}), item: items<readonly LeftCommand[]>() }),
  /**
   * `end` stops a command that kept running (SIGTERM, then SIGKILL after 2 s) and answers when it has ended. `keep` lets it run and no
   * longer lists it.
   */
  settleLeft: command({ input: z.object({ id: z.string().max(80), decision: z.enum(['end', 'keep']) }), output: returns<Done>() }),
  /**
   * Shows a system notification (desktop) unless one of our windows has the focus. A click opens the session and does not answer any
   * request.
   */
  notify: command({
    input: z.object({ title: z.string().max(200), body: z.string().max(400), sessionId: SessionId }),
    output: returns<Record<never, never>>(),
  }),
  /** Opens the system's folder dialog (desktop). Null if nothing was chosen. */
  pickFolder: command({ input: z.object({}), output: returns<{ readonly folder: string | null }>() }),
  /** Shows a file in the file manager (desktop). Refused if the file, with links resolved, is not in an open folder. */
  reveal: command({ input: z.object(NamedFile), output: returns<Done>() }),
  /** Opens a file in the user's editor. Refused if the file, with links resolved, is not in an open folder. `line` starts at 1. */
  openInEditor: command({ input: z.object({ ...NamedFile, line: z.number().int().min(1).nullable() }), output: returns<Done>() }),
  /** Which of these paths are files that `openInEditor` would open. None if storage fails. */
  existingFiles: command({
    input: z.object({ sessionId: SessionId, paths: z.array(z.string().min(1).max(4096)).max(100) }),
    output: returns<{ readonly paths: readonly string[] }>(),
  }),
  /** The editors found on this computer. */
  editors: command({ input: z.object({}), output: returns<FoundEditors>() }),
  /** What this computer has for the agent. Each call checks again. */
  machine: command({ input: z.object({}), output: returns<{ readonly facts: readonly MachineFact[] }>() }),
  /** Answers when the user's shell has answered, after 10 s at most. */
  launchVariables: command({ input: z.object({}), output: returns<LaunchVariables>() }),
  /** Opens an https address in the system's browser, after main has checked it. */
  openLink: command({
    input: z.object({ url: z.string().max(2048) }),
    output: returns<{ readonly opened: boolean; readonly why: string | null }>(),
  }),
}
