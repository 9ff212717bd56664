import type { BlobHash } from '../lib/ids.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'

/**
 * What a tool call would do, as data, before it has done anything (DESIGN §3). Policy, rules and the person judge these;
 * an approval is bound to the hash of the whole list. Paths are absolute; `shown` is relative to the workspace where it lies inside.
 */
export type Effect = WriteEffect | DeleteEffect | CommandEffect | ReadEffect | NetworkEffect | ModeEffect | UnknownEffect

interface PathEffect {
  readonly path: string
  readonly shown: string
  /** The nearest real path lies outside the workspace folder. */
  readonly outside: boolean
  /** The path is one of the control files that ask in every mode (security section 0, rule 6). */
  readonly control: boolean
}

/** `before: null` means that the file does not exist yet. The bytes of both lie in the blob store before anybody is asked. */
export interface WriteEffect extends PathEffect {
  readonly kind: 'write'
  readonly before: BlobHash | null
  readonly after: BlobHash
  readonly beforeBytes: number
  readonly afterBytes: number
  /** Changed lines; null where the file is not text. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** Permission bits that a new file gets because the one that it takes the place of had them; absent: the usual ones. */
  readonly mode?: number
  /** It takes the place of this file, which goes by the same call: a move, and `lines` tell what differs from there. Only shown. Absent: none. */
  readonly movedFrom?: MovedFrom
}

export interface MovedFrom {
  readonly path: string
  readonly shown: string
}

export interface DeleteEffect extends PathEffect {
  readonly kind: 'delete'
  readonly before: BlobHash
  readonly beforeBytes: number
}

/** A time limit that is none: longer than a timer can be, ms. */
export const NO_TIME_LIMIT_MS = 2 ** 31

/** A command line for the shell, exactly as it will be handed over. `env` holds only what the call changes. */
export interface CommandEffect {
  readonly kind: 'command'
  readonly command: string
  readonly cwd: string
  readonly outside: boolean
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly destructive: boolean
  /** `shell`: in the session's lasting bash, whose variables and functions count too; `background`: runs on, without a limit unless the call names one. Absent: by itself. */
  readonly way?: 'shell' | 'background'
  /** Its commands one by one, where it is a plain list of several. Absent: read it as it stands. */
  readonly parts?: readonly CommandPart[]
  /** What the line names as written and, as the disk stands before it runs, really lies outside or is a control file (through a link, say). Absent: nothing. */
  readonly reaches?: readonly ReachedFile[]
}

/** One command of a line; part of what an effect shows, not of what is executed. */
export interface CommandPart {
  /** What joins it to the one before: `&&`, `|`, `;`; empty: a new line, or the first. */
  readonly operator: string
  readonly text: string
  /** Why it is asked for, where that is its own doing: "may destroy". */
  readonly note?: string
}

/** Part of what an effect shows, not of what is executed. */
export interface ReachedFile {
  readonly shown: string
  readonly outside: boolean
  readonly control: boolean
}

/** Reading outside the workspace; reads inside it have no effects. */
export interface ReadEffect extends PathEffect {
  readonly kind: 'read'
}

export interface NetworkEffect {
  readonly kind: 'network'
  readonly url: string
  readonly host: string
  /** Somebody other than the model named the address in this conversation (D-51). */
  readonly mentioned?: boolean
}

/** The session leaves mode `plan`; `plan` is what the agent has worked out, for the person to judge. */
export interface ModeEffect {
  readonly kind: 'mode'
  readonly to: ApprovalMode
  readonly plan: string | null
}

/** A tool that cannot say what it will do (a bare P2-33 executor): always asks. */
export interface UnknownEffect {
  readonly kind: 'unknown'
  readonly summary: string
}
