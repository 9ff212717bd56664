import type { BlobHash, SessionId } from '../lib/ids.ts'
import type { Question } from '../workflow/question.ts'
import type { WorkPlan } from '../workflow/work-plan.ts'
import type { ConflictRegion } from '../lib/lines/line-conflict.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'

/**
 * What a tool call would do, as data, before it does anything. Policy, rules and the user judge these effects. A signature is bound to
 * the hash of the complete list. Paths are absolute. `shown` is relative to the workspace for paths inside it.
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
  /** Whether the path, with all links resolved, is outside the workspace folder. */
  readonly outside: boolean
  /** Whether the path is a control file, which needs a signature in every mode. */
  readonly control: boolean
  /** Set if the approved plan does not list the path. If absent, the plan lists it, or there is no plan. */
  readonly unplanned?: true
  /**
   * What git ignores at this place: the outermost ignored folder above the path or, if no such folder is ignored, the path itself. It is
   * written as a line of a `.gitignore`: `/dist`. If absent, the path is not ignored, or this is not known.
   */
  readonly ignored?: string
}

/**
 * A file is written. `before` is null if the file does not exist yet. The bytes of both versions are in the blob store before approval is
 * requested.
 */
export interface WriteEffect extends PathEffect {
  readonly kind: 'write'
  readonly before: BlobHash | null
  readonly after: BlobHash
  readonly beforeBytes: number
  readonly afterBytes: number
  /** Changed lines. Null if the file is not text. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** Permission bits of a new file, such as those of a moved file. If absent, the file gets the default bits. */
  readonly mode?: number
  /**
   * Set if a subagent and someone else have changed the same lines. `after` contains the lines that are in the folder now. If absent,
   * there is no conflict.
   */
  readonly conflict?: ConflictSides
  /**
   * The old path of a file that the same call moves here. `lines` counts the differences from the old file. Only for display. If absent,
   * the file is not moved.
   */
  readonly movedFrom?: MovedFrom
}

/** Both sides of a conflict: the file as the subagent found it (`base`) and as it left it (`own`), and the lines that differ. */
export interface ConflictSides {
  readonly base: BlobHash
  readonly own: BlobHash
  /** The regions in which the sides differ. `before` is the subagent's side. */
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

/** A change of the permission bits of a file or folder. The content stays the same. */
interface PermissionsEffect extends PathEffect {
  readonly kind: 'permissions'
  readonly before: number
  readonly after: number
}

/**
 * A symbolic link is created, changed or deleted. `before` and `after` are its targets, exactly as they are stored in the link. Null if
 * there is no link on that side.
 */
interface LinkEffect extends PathEffect {
  readonly kind: 'link'
  readonly before: string | null
  readonly after: string | null
}

/** An empty folder is created, or a folder is deleted. The folders of a new file need no separate effect. */
interface FolderEffect extends PathEffect {
  readonly kind: 'folder'
  readonly change: 'created' | 'deleted'
  /**
   * Set if git ignores the folder and it is created with everything that a command has put in it. `hash` is computed from the paths,
   * sizes and times. If absent, the folder is empty.
   */
  readonly tree?: { readonly files: number; readonly bytes: number; readonly hash: string }
}

/** A value in ms that means no time limit. It is longer than a timer can be. */
export const NO_TIME_LIMIT_MS = 2 ** 31

/** A command line for the shell, exactly as it will be passed. `env` contains only the variables that the call changes. */
export interface CommandEffect {
  readonly kind: 'command'
  readonly command: string
  readonly cwd: string
  readonly outside: boolean
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Whether the command may delete data that cannot be restored. The policy determines this from the text of the command. */
  readonly destructive: boolean
  /**
   * Set if the approved plan does not list the command, and the command does more than read. If absent, the plan lists it, or there is no
   * plan.
   */
  readonly unplanned?: true
  /**
   * `shell`: the command runs in the session's persistent bash, with its variables and functions. `background`: the command continues after
   * the call, without a time limit unless the call sets one. If absent, the command runs in a process of its own.
   */
  readonly way?: 'shell' | 'background'
  /**
   * `copy`: the command runs in a copy of the folder, and the effects that follow it in the list are its changes in that copy. `confined`:
   * the command runs in the folder itself, can write nowhere else, and reaches only hosts that rules allow. `layer`: the command runs in
   * the layer in which its session works, and can write nowhere else. If absent, the command can do whatever the user can.
   */
  readonly sandbox?: 'copy' | 'confined' | 'layer'
  /**
   * Why the command cannot run in a copy, as a sentence. Only for display. If absent, the command can run in a copy, or copies are not
   * used.
   */
  readonly noCopy?: string
  /**
   * The stored change set of a command that has run in a copy. A signature is bound to this change set. If absent, the command has not run
   * yet, or changed nothing.
   */
  readonly changeSet?: BlobHash
  /**
   * Set if the effect is the work of this subagent in its own copy, and not the work of a command. `command` then contains the subagent's
   * name. If absent, the effect is a command.
   */
  readonly subagent?: { readonly agentId: SessionId; readonly agentType: string }
  /** Set if the effect is the work of a session beside the folder, which is brought in. If absent, it is not. */
  readonly broughtFrom?: BroughtFrom
  /** The individual commands of the line, if the line is a plain list of several commands. If absent, only the line itself can be shown. */
  readonly parts?: readonly CommandPart[]
  /**
   * Paths in the command line that are outside the workspace, contain secrets or are control files, for example because a link leads there.
   * They are found by examining the disk before the command runs. If absent, there are none.
   */
  readonly reaches?: readonly ReachedFile[]
  /** Settings of the repository that would make git start programs, such as `core.fsmonitor`. If absent, there are none. */
  readonly starts?: readonly string[]
  /** Programs of the line that PATH finds in the workspace folder, where the agent can write them. If absent, there are none. */
  readonly programsInFolder?: readonly string[]
  /**
   * Files (real paths) that a rule denies and that the command may print from git's history without naming them, such as `git log -p`. If
   * absent, there are none. At most 3.
   */
  readonly deniedInGit?: readonly string[]
  /**
   * Files that the command executes for real, as they were when the request was made. If absent, no such files are known, or no approval
   * was required.
   */
  readonly executes?: readonly ExecutedFile[]
}

/** The session whose work is brought in. `agent`: the third-party agent that works there. If absent, Countersign's own agent does. */
export interface BroughtFrom {
  readonly sessionId: SessionId
  readonly title: string
  readonly agent?: BroughtFromAgent
}

/** `turns`: the turns that have changed files since the last answered request, oldest first. */
export interface BroughtFromAgent {
  readonly name: string
  readonly turns: readonly TurnOfAgent[]
}

/**
 * A turn of a session, counted from 1, with its first and its last step that changed files. `commands`: the command lines that the agent ran
 * in the turn, as it reports them, at most 50. `moreCommands`: how many others it ran. `hosts`: the hosts that programs in its layer asked
 * for, as the proxy saw them. Older requests have none of these.
 */
export interface TurnOfAgent {
  readonly turn: number
  readonly first: number
  readonly last: number
  readonly commands?: readonly string[]
  readonly moreCommands?: number
  readonly hosts?: readonly AskedHost[]
}

/** `host`: as `host:port`. `answer`: `own` if the agent may always reach it, such as the host of its model. */
export interface AskedHost {
  readonly host: string
  readonly answer: 'own' | 'allowed' | 'refused'
}

/** Whether the command runs in a copy of the folder or in a layer over it, so that its changes do not reach the folder by themselves. */
export const runsApart = ({ sandbox }: Pick<CommandEffect, 'sandbox'>): boolean => sandbox === 'copy' || sandbox === 'layer'

/** Whether the effect is the work of a session in its layer, and not of a command. */
export const isLayerWork = ({ subagent, broughtFrom }: CommandEffect): boolean => subagent !== undefined || broughtFrom !== undefined

/**
 * Whether a request is about one command that would run for real and may run confined instead. The session's persistent bash may not run
 * confined, because it is used for many commands.
 */
export function mayConfine(effects: readonly Effect[]): boolean {
  const [effect, ...others] = effects
  return (
    effect?.kind === 'command' && others.length === 0 && !effect.sandbox && !isLayerWork(effect) && !effect.noCopy && effect.way !== 'shell'
  )
}

/** One command of a line, only for display. */
export interface CommandPart {
  /** The operator before the command: `&&`, `|`, `;`. Empty for a new line or the first command. */
  readonly operator: string
  readonly text: string
  /** Why this command needs a signature: "may destroy". */
  readonly note?: string
}

/** A file that the command line leads to. A signature counts only for the same files. */
export interface ReachedFile {
  readonly shown: string
  /** Set if the file is only read. If absent, it may be changed. */
  readonly isRead?: true
  readonly outside: boolean
  readonly control: boolean
}

/** A script or project file that a command executes. A signature counts only for this content. */
export interface ExecutedFile {
  /** The real path. */
  readonly path: string
  readonly shown: string
  /** The SHA-256 of the content or, for a large file, its size, time and inode. */
  readonly hash: string
}

/** Reading outside the workspace, or a file that may hold secrets. Reading any other file inside it does not count as an effect. */
export interface ReadEffect extends PathEffect {
  readonly kind: 'read'
}

export interface NetworkEffect {
  readonly kind: 'network'
  readonly url: string
  readonly host: string
  /** Whether someone other than the model mentioned the address in this conversation. */
  readonly mentioned?: boolean
}

/** Returns the host that a command in a copy or a layer wants to reach, if the request is about a host. Null otherwise. */
export function wantedHost(effects: readonly Effect[]): NetworkEffect | null {
  const isAsking = effects.some(asksHosts)
  return (isAsking && effects.find((effect) => effect.kind === 'network')) || null
}

const asksHosts = (effect: Effect): boolean =>
  effect.kind === 'command' && (effect.sandbox === 'layer' || (effect.sandbox === 'copy' && effect.changeSet === undefined))

/** The session leaves plan mode. `plan` is the agent's plan, which the user judges. */
export interface ModeEffect {
  readonly kind: 'mode'
  readonly to: ApprovalMode
  readonly plan: string | null
  /** The same plan as data. If absent, an older version presented the plan, or the agent did not give its plan as data. */
  readonly document?: WorkPlan
}

/** The agent or an MCP server asks the user questions. The signature contains one answer per question. */
export interface QuestionEffect {
  readonly kind: 'question'
  readonly questions: readonly Question[]
  /** If absent, the agent asks. */
  readonly from?: AskingServer
}

/** An MCP server that asks while one of its tools runs. The answers go to the server. Its texts are not trusted. */
export interface AskingServer {
  readonly server: string
  /** Why the server asks. */
  readonly message: string
  /** Indexes of questions that may be left without an answer. */
  readonly optional: readonly number[]
  /** The page on which the user has to do something. If there is a page, there are no questions. Null if there is no page. */
  readonly address: string | null
}

/** The agent has finished steps of the plan, and the user reviews them before the agent continues. */
export interface ReviewEffect {
  readonly kind: 'review'
  readonly steps: readonly { readonly id: string; readonly title: string }[]
  /** Numbers of the ledger steps that worked on these plan steps. */
  readonly calls: readonly number[]
}

/** A tool that cannot state its effects. It always needs a signature. */
interface UnknownEffect {
  readonly kind: 'unknown'
  readonly summary: string
  /**
   * The MCP server's tool that is called. `name` is the name that rules use, and `arguments` is JSON. If absent, the tool is not a tool of
   * an MCP server.
   */
  readonly tool?: { readonly name: string; readonly arguments: string }
}

/**
 * The effects whose changes a checkpoint may not have recorded completely. Older versions and interrupted steps did not record links,
 * folders and permissions. If a command runs outside a copy, its changes to ignored files are not compared.
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
