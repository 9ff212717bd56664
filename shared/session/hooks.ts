import type { JsonValue } from './content.ts'
import type { ToolCallId } from '../lib/ids.ts'

/** Moments at which hooks run. The names are those of Claude Code. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionStart',
  'SessionEnd',
  'Notification',
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** How a hook ended. Before a tool, `failed` counts as `asked`. `failed` includes hooks that ran out of time. */
export type HookOutcome = 'passed' | 'allowed' | 'asked' | 'blocked' | 'failed'

/** One run of a hook. */
export interface HookRun {
  readonly event: HookEvent
  /** The command as written in its file. */
  readonly command: string
  /** The file that configures the hook, from the project or from the user's home. */
  readonly source: string
  /** The call that the hook ran for. Null if there is none. */
  readonly aboutCall: ToolCallId | null
  readonly durationMs: number
  readonly outcome: HookOutcome
  /** Set if the hook could write only in the folder and had no network. If absent, it ran with all the user's rights. */
  readonly isConfined?: true
  /** The hook's message to the user, at most 2,000 characters. Empty if there is none. */
  readonly says: string
  /** Variables that the hook sets for the commands of the session, only for `SessionStart`. If absent, there are none. */
  readonly variables?: Readonly<Record<string, string>>
  /** The arguments that the hook wants for the call. If absent, the model's arguments are used. */
  readonly updatedInput?: { readonly [key: string]: JsonValue }
  /** Why the hook ends the turn. If absent, it does not end the turn. */
  readonly stops?: string
  /** Set if the hook ran after a compaction. The session then keeps the variables that earlier hooks set. */
  readonly isAfterCompaction?: true
}

/** A hook as configured in its file. */
export interface Hook {
  readonly event: HookEvent
  /** The tools, sources or triggers that the hook is for. Empty for all. */
  readonly matcher: string
  /** A permission rule that a call must match, such as `Bash(rm *)`. If absent, the hook runs for every call. */
  readonly condition?: string
  /** The command line. For `http` it is the address, and for `prompt` the beginning of the text. */
  readonly command: string
  /**
   * Set if the hook's input is sent to the address in `command`. `variables` lists the variables that the headers may contain. If absent, a
   * program runs.
   */
  readonly http?: { readonly headers?: Readonly<Record<string, string>>; readonly variables?: readonly string[] }
  /**
   * Set if a model is asked instead of a program. `text` is the question, with the input in place of `$ARGUMENTS`. `model` is the name in the
   * file. If it is absent, the model of the session is asked.
   */
  readonly prompt?: { readonly text: string; readonly model?: string }
  /** The program and its arguments, started without a shell. If absent, a shell runs `command`. */
  readonly argv?: readonly [string, ...string[]]
  /** Set if the app does not wait for the hook and ignores its answer. */
  readonly isAsync?: true
  /** Set if a failure of the hook blocks the action, as exit code 2 does. */
  readonly failureBlocks?: true
  /** The agent whose field names the hook's input uses. If absent, Claude Code's field names are used. */
  readonly dialect?: 'codex' | 'gemini'
  readonly timeoutMs: number
  readonly source: string
  readonly from: 'project' | 'person'
}
