export type TruncationMode = 'head_tail' | 'tail'

/** Limits of a session. Each overrides the default of its tool. */
export interface TruncationConfig {
  /** Maximum number of characters (UTF-16 units), by tool. */
  readonly toolOutputLimits?: Readonly<Record<string, number>>
  readonly toolLineLimits?: Readonly<Record<string, number>>
}

/** Maximum number of characters, by tool. The specification sets these values. */
export const DEFAULT_CHAR_LIMITS: Readonly<Record<string, number>> = {
  read_file: 50_000,
  shell: 30_000,
  grep: 20_000,
  glob: 20_000,
  edit_file: 10_000,
  apply_patch: 10_000,
  write_file: 1_000,
  spawn_agent: 20_000,
}

/** The part of a long output that is kept, by tool. The specification sets these values. */
export const DEFAULT_TRUNCATION_MODES: Readonly<Record<string, TruncationMode>> = {
  read_file: 'head_tail',
  shell: 'head_tail',
  spawn_agent: 'head_tail',
  grep: 'tail',
  glob: 'tail',
  edit_file: 'tail',
  apply_patch: 'tail',
  write_file: 'tail',
}

/** Maximum number of lines, by tool. The specification sets these values. Other tools have no line limit. */
export const DEFAULT_LINE_LIMITS: Readonly<Record<string, number>> = { shell: 256, grep: 200, glob: 500 }

/** Tools that have the limits of another tool with the same kind of output, unless a session sets their own. */
const KIN: ReadonlyMap<string, string> = new Map([
  ['bash', 'shell'],
  ['bash_output', 'shell'],
  // All of these return the report of a subagent.
  ['task', 'spawn_agent'],
  ['wait', 'spawn_agent'],
  ['send_input', 'spawn_agent'],
  ['close_agent', 'spawn_agent'],
])

/** The limit for tools that are not in the tables. */
const FALLBACK_CHARS = 30_000
const FALLBACK_MODE: TruncationMode = 'head_tail'

export interface Limits {
  readonly chars: number
  readonly mode: TruncationMode
  /** Null if the number of lines is not limited. */
  readonly lines: number | null
}

/** The limits of a tool. Reads only own properties, because a tool could be called `constructor`. */
export function limitsOf(toolName: string, config: TruncationConfig = {}): Limits {
  const kin = KIN.get(toolName) ?? toolName
  return {
    chars: own(config.toolOutputLimits, toolName) ?? own(config.toolOutputLimits, kin) ?? own(DEFAULT_CHAR_LIMITS, kin) ?? FALLBACK_CHARS,
    mode: own(DEFAULT_TRUNCATION_MODES, kin) ?? FALLBACK_MODE,
    lines: own(config.toolLineLimits, toolName) ?? own(config.toolLineLimits, kin) ?? own(DEFAULT_LINE_LIMITS, kin) ?? null,
  }
}

function own<T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined
}
