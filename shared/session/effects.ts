import type { BlobHash, SessionId } from '../lib/ids.ts'
import type { Question } from '../workflow/question.ts'
import type { WorkPlan } from '../workflow/work-plan.ts'
import type { ConflictRegion } from '../lib/line-conflict.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'

/**
 * What a tool call would do, as data, before it does anything. Policy, rules and the person judge these; a signature is bound to the hash
 * of the whole list. Paths are absolute; `shown` is relative to the workspace for paths inside it.
 */
export type Effect =
  | WriteEffect
  | DeleteEffect
  | PermissionsEffect
  | LinkEffect
  | FolderEffect
  | CommandEffect
  | ReadEffect
  | NetworkEffect
  | ModeEffect
  | QuestionEffect
  | ReviewEffect
  | UnknownEffect

interface PathEffect {
  readonly path: string
  readonly shown: string
  /** The nearest real path is outside the workspace folder. */
  readonly outside: boolean
  /** One of the control files that need a signature in every mode. */
  readonly control: boolean
  /** The approved plan does not name it. Absent: it does, or there is no plan. */
  readonly unplanned?: true
  /** The outermost place above it that git ignores, or itself, as a line of a `.gitignore`: `/dist`. Absent: not ignored, or not known. */
  readonly ignored?: string
}

/** `before: null`: the file does not exist yet. The bytes of both are in the blob store before anyone is asked. */
export interface WriteEffect extends PathEffect {
  readonly kind: 'write'
  readonly before: BlobHash | null
  readonly after: BlobHash
  readonly beforeBytes: number
  readonly afterBytes: number
  /** Changed lines; null: the file is not text. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** Permission bits of a new file that replaces one with these bits. Absent: the usual ones. */
  readonly mode?: number
  /** A subagent and someone else have changed the same lines. `after` has them as they are in the folder now. Absent: no conflict. */
  readonly conflict?: ConflictSides
  /** This file is moved here by the same call, and `lines` count the differences from it. For display only. Absent: not a move. */
  readonly movedFrom?: MovedFrom
}

/** Both sides of a conflict: the file as the subagent found it (`base`), as it left it (`own`), and the lines that differ. */
export interface ConflictSides {
  readonly base: BlobHash
  readonly own: BlobHash
  /** `before` is the subagent's side. */
  readonly regions: readonly ConflictRegion[]
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

/** The permission bits of a file or folder change; its content stays. */
interface PermissionsEffect extends PathEffect {
  readonly kind: 'permissions'
  readonly before: number
  readonly after: number
}

/** A symbolic link is created, changed or deleted. Targets as stored in the link; null: no link. */
interface LinkEffect extends PathEffect {
  readonly kind: 'link'
  readonly before: string | null
  readonly after: string | null
}

/** An empty folder is created, or a folder deleted. The folders of a new file need no effect of their own. */
interface FolderEffect extends PathEffect {
  readonly kind: 'folder'
  readonly change: 'created' | 'deleted'
  /** It is created with all that a command has put in it; git ignores it. `hash`: of the paths, sizes and times. Absent: it is empty. */
  readonly tree?: { readonly files: number; readonly bytes: number; readonly hash: string }
}

/** Means no time limit: longer than a timer can be, in ms. */
export const NO_TIME_LIMIT_MS = 2 ** 31

/** A command line for the shell, exactly as it will be passed. `env` holds only what the call changes. */
export interface CommandEffect {
  readonly kind: 'command'
  readonly command: string
  readonly cwd: string
  readonly outside: boolean
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly destructive: boolean
  /** The approved plan does not name it, and it does more than read. Absent: it does, or there is no plan. */
  readonly unplanned?: true
  /**
   * `shell`: in the session's persistent bash, with its variables and functions; `background`: keeps running, without a limit unless the
   * call sets one. Absent: on its own.
   */
  readonly way?: 'shell' | 'background'
  /**
   * `copy`: it runs in a copy of the folder, and the effects after it are what it changed there. `confined`: it runs in the folder itself,
   * can write nowhere else, and has no network. Absent: it can do whatever the person can.
   */
  readonly sandbox?: 'copy' | 'confined'
  /** Why it cannot run in a copy, as a sentence. For display only. Absent: it can, or copies are not used. */
  readonly noCopy?: string
  /** After it ran in a copy: the stored change set, to which a signature is bound. Absent: it has not run yet, or changed nothing. */
  readonly changeSet?: BlobHash
  /** The work of this subagent in its own copy, in place of a command; `command` names it. Absent: a command. */
  readonly subagent?: { readonly agentId: SessionId; readonly agentType: string }
  /** Its single commands, if it is a plain list of several. Absent: read the line itself. */
  readonly parts?: readonly CommandPart[]
  /**
   * Places the line names that, with the disk as it is before it runs, are outside, hold secrets or are control files (through a link,
   * for example). Absent: none.
   */
  readonly reaches?: readonly ReachedFile[]
  /** Settings of the repository by which git would start programs, such as `core.fsmonitor`. Absent: none. */
  readonly starts?: readonly string[]
}

/** Whether a request is about one command that would run for real and may run confined instead. The session's bash lives for many commands. */
export function mayConfine(effects: readonly Effect[]): boolean {
  const [effect, ...others] = effects
  return (
    effect?.kind === 'command' && others.length === 0 && !effect.sandbox && !effect.subagent && !effect.noCopy && effect.way !== 'shell'
  )
}

/** One command of a line; for display only. */
export interface CommandPart {
  /** The operator before it: `&&`, `|`, `;`; empty: a new line, or the first. */
  readonly operator: string
  readonly text: string
  /** Why this command needs a signature: "may destroy". */
  readonly note?: string
}

/** For display only. */
export interface ReachedFile {
  readonly shown: string
  /** It is read, and nothing else. Absent: it may be changed. */
  readonly isRead?: true
  readonly outside: boolean
  readonly control: boolean
}

/** Reading outside the workspace; reads inside have no effects. */
export interface ReadEffect extends PathEffect {
  readonly kind: 'read'
}

export interface NetworkEffect {
  readonly kind: 'network'
  readonly url: string
  readonly host: string
  /** Someone other than the model mentioned the address in this conversation. */
  readonly mentioned?: boolean
}

/** The host that a command running in a copy asks for, where that is what a request is about. */
export function wantedHost(effects: readonly Effect[]): NetworkEffect | null {
  const inCopy = effects.some((effect) => effect.kind === 'command' && effect.sandbox === 'copy' && effect.changeSet === undefined)
  return (inCopy && effects.find((effect) => effect.kind === 'network')) || null
}

/** The session leaves mode `plan`; `plan` is the agent's plan, for the person to judge. */
export interface ModeEffect {
  readonly kind: 'mode'
  readonly to: ApprovalMode
  readonly plan: string | null
  /** The same plan as data. Absent: it was presented by an older version, or as nothing. */
  readonly document?: WorkPlan
}

/** The agent asks the person something, or an MCP server does. Signed with one answer per question. */
export interface QuestionEffect {
  readonly kind: 'question'
  readonly questions: readonly Question[]
  /** Absent: the agent asks. */
  readonly from?: AskingServer
}

/** An MCP server that asks while one of its tools runs. The answers go to the server; nothing of what it says is trusted. */
export interface AskingServer {
  readonly server: string
  /** Why it asks. */
  readonly message: string
  /** Indexes of questions that can be left without an answer. */
  readonly optional: readonly number[]
  /** The page on which the person is to do something; then there are no questions. Null: none. */
  readonly address: string | null
}

/** The agent has finished steps of the plan, and the person reviews them before it continues. */
export interface ReviewEffect {
  readonly kind: 'review'
  readonly steps: readonly { readonly id: string; readonly title: string }[]
  /** Ledger steps that worked on them. */
  readonly calls: readonly number[]
}

/** A tool that cannot state its effects: always needs a signature. */
interface UnknownEffect {
  readonly kind: 'unknown'
  readonly summary: string
  /** The tool of an MCP server that is called. `name` as rules name it; `arguments` as JSON. Absent: another tool. */
  readonly tool?: { readonly name: string; readonly arguments: string }
}

/**
 * The effects whose changes a checkpoint may not have recorded, or not all of them: links, folders and permissions, which older versions and
 * interrupted steps did not record, and commands that run for real, whose changes to ignored files are not compared.
 */
export function unrecordedEffects(effects: readonly Effect[]): readonly Effect[] {
  return effects.filter(
    (effect) =>
      (effect.kind === 'command' && effect.sandbox !== 'copy') ||
      effect.kind === 'link' ||
      effect.kind === 'folder' ||
      effect.kind === 'permissions',
  )
}
