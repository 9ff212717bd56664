import { isObject } from '../../lib/json.ts'

/** Converts an argument of another agent into one or more of our arguments. */
export type Alias = (value: unknown, args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
export type Aliases = Readonly<Record<string, Alias>>

export const rename =
  (to: string): Alias =>
  (value) => ({ [to]: value })

export const negated =
  (to: string): Alias =>
  (value) => ({ [to]: typeof value === 'boolean' ? !value : value })

/** The same alias for several names. */
export function named(names: readonly string[], alias: Alias): Aliases {
  return Object.fromEntries(names.map((name) => [name, alias]))
}

/** Accepts a list that was sent as a list, as JSON text or as a single string. */
export const list =
  (to: string): Alias =>
  (value) => {
    const given = listFromJson(value)
    return { [to]: typeof given === 'string' ? [given] : given }
  }

/** Parses a list that some models write as JSON text. Anything else is returned unchanged. */
export function listFromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/u.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : value
  } catch {
    return value
  }
}

export const FILE_PATH: Aliases = named(['path', 'filename', 'file', 'filePath'], rename('file_path'))
export const FOLDER: Aliases = named(['dir', 'directory', 'dir_path'], rename('path'))

/** Options of other agents that exclude entries from a listing. Only `respect_git_ignore` is used. */
export const FILTERING: Aliases = {
  file_filtering_options: (value) =>
    isObject(value) && 'respect_git_ignore' in value ? { respect_git_ignore: value['respect_git_ignore'] } : {},
}

/** Aliases for a range of lines. `withLineCount` converts `end_line` to a number of lines. */
export const LINES: Aliases = {
  ...named(['start_line', 'startLine', 'line_start', 'start_line_one_indexed', 'from_line'], rename('offset')),
  ...named(['endLine', 'line_end', 'end_line_one_indexed', 'end_line_one_indexed_inclusive', 'to_line'], rename('end_line')),
  ...named(['max_lines', 'num_lines', 'line_count'], rename('limit')),
  ...named(['view_range', 'line_range'], linesOf),
}

/** Converts `[first, last]` to `offset` and `end_line`. A `last` of -1 is the end of the file. */
function linesOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value) || value.length !== 2) return { offset: value }
  const [first, last] = value as readonly unknown[]
  return last === -1 ? { offset: first } : { offset: first, end_line: last }
}

/** Converts the number of the last line to a number of lines. Line 0, which some agents count from, is the beginning. */
export function withLineCount({ end_line: last, ...given }: Record<string, unknown>): Record<string, unknown> {
  const args = given['offset'] === 0 ? { ...given, offset: 1 } : given
  if (last === undefined) return args
  const { offset = 1, limit = Infinity } = args
  if (typeof last !== 'number' || typeof offset !== 'number' || typeof limit !== 'number') return { ...args, limit: last }
  return { ...args, limit: Math.min(limit, last - offset + 1) }
}

/**
 * Some agents send `timeout` in seconds, some in milliseconds. Numbers below 1,000 count as seconds, because no agent gives a command less
 * than a second.
 */
export const timeout: Alias = (value) => ({ timeout_ms: typeof value === 'number' && value < 1000 ? Math.ceil(value * 1000) : value })

const seconds: Alias = (value) => ({ timeout_ms: typeof value === 'number' ? value * 1000 : value })

export const COMMAND: Aliases = {
  cmd: rename('command'),
  timeout,
  timeoutMs: rename('timeout_ms'),
  ...named(['timeout_seconds', 'timeout_sec', 'timeout_secs'], seconds),
  ...named(['cwd', 'workdir', 'working_directory', 'directory', 'dir', 'dir_path'], rename('working_dir')),
  ...named(['background', 'is_background', 'isBackground'], rename('run_in_background')),
}
