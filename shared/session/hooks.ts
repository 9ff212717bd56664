import type { JsonValue } from './content.ts'
import type { ToolCallId } from '../lib/ids.ts'

/** Moments at which hooks run, by the names that Claude Code gives them. */
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

/** How a hook ended. `failed` (also: out of time) counts as `asked` before a tool. */
export type HookOutcome = 'passed' | 'allowed' | 'asked' | 'blocked' | 'failed'

/** One run of a hook. */
export interface HookRun {
  readonly event: HookEvent
  /** As written in its file. */
  readonly command: string
  /** The file that names it, from the project or from the person's home. */
  readonly source: string
  /** The call that it was about. Null: none. */
  readonly aboutCall: ToolCallId | null
  readonly durationMs: number
  readonly outcome: HookOutcome
  /** It could write in the folder only, and had no network. Absent: it ran with all rights of the person. */
  readonly isConfined?: true
  /** What it said, for the person, at most 2,000 characters. Empty: nothing. */
  readonly says: string
  /** Variables that it sets for the commands of the session: `SessionStart` only. Absent: none. */
  readonly variables?: Readonly<Record<string, string>>
  /** The arguments that it wants for the call. Absent: those that the model gave. */
  readonly updatedInput?: { readonly [key: string]: JsonValue }
  /** Why it ends the turn. Absent: it does not. */
  readonly stops?: string
  /** After a compaction; the session keeps its variables. */
  readonly isAfterCompaction?: true
}

/** A hook as its file names it. */
export interface Hook {
  readonly event: HookEvent
  /** Which tools, sources or triggers it is for. Empty: all. */
  readonly matcher: string
  /** A permission rule that a call must fit, such as `Bash(rm *)`. Absent: every call. */
  readonly condition?: string
  /** What it runs. For a program with arguments: its command line; for `http`: the address; for `prompt`: how its text begins. */
  readonly command: string
  /** The input is sent to the address. `variables`: those that its headers may name. Absent: a program runs. */
  readonly http?: { readonly headers?: Readonly<Record<string, string>>; readonly variables?: readonly string[] }
  /** A model is asked this instead, with the input in place of `$ARGUMENTS`. `model`: as the file names it; absent: that of the session. */
  readonly prompt?: { readonly text: string; readonly model?: string }
  /** The program and its arguments, started without a shell. Absent: a shell runs `command`. */
  readonly argv?: readonly [string, ...string[]]
  /** Nothing waits for it, and what it says does not count. */
  readonly isAsync?: true
  /** A failure blocks, like exit code 2. */
  readonly failureBlocks?: true
  /** The agent whose names its input has. Absent: Claude Code. */
  readonly dialect?: 'codex' | 'gemini'
  readonly timeoutMs: number
  readonly source: string
  readonly from: 'project' | 'person'
}
