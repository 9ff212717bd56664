import { isObject } from '../../../shared/lib/json.ts'
import type { McpImportNote } from '../../../shared/api/mcp.ts'
import { readEntry, type ServerEntry } from '../server-entries.ts'

/** A server in the file of another agent, as an entry of our `mcp.json`. */
interface ForeignServer {
  readonly name: string
  readonly entry: ServerEntry
  /** Fields of the entry that are not imported. */
  readonly notTaken: readonly McpImportNote[]
}

export interface ForeignServers {
  readonly servers: readonly ForeignServer[]
  /** Entries that cannot be used here. */
  readonly leftOut: readonly McpImportNote[]
}

/** The fields that an agent's entries can have, by name. */
export interface Fields {
  /** The reason why each of these fields is not imported. Fields that are neither here nor in `taken` are listed without a reason. */
  readonly refused: Readonly<Record<string, string>>
  readonly taken: readonly string[]
}

/** Fields that the entries of every agent can have. */
export const COMMON_FIELDS = ['type', 'command', 'args', 'env', 'url', 'headers', 'timeout'] as const
export const CALLS_ASK = 'Each call needs your approval here, unless one of your rules allows it.'
export const SWITCHES = 'Switch its tools off in Settings once it runs.'
export const STARTS_IN_FOLDER = 'It starts in the project folder.'

/**
 * Reads the entries of a table of servers. `convert` makes an entry in our format, or returns a sentence about why this is impossible.
 * Each converted entry is validated like an entry of our own file.
 */
export function readEntries(
  table: unknown,
  { refused, taken }: Fields,
  convert: (entry: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | string,
): ForeignServers {
  const servers: ForeignServer[] = []
  const leftOut: McpImportNote[] = []
  for (const [name, value] of Object.entries(isObject(table) ? table : {})) {
    const converted = isObject(value) ? convert(value) : 'It is not an object.'
    const entry = typeof converted === 'string' ? converted : readEntry(converted)
    if (typeof entry === 'string') leftOut.push({ what: name, why: entry })
    else servers.push({ name, entry, notTaken: notTaken(value as Readonly<Record<string, unknown>>, { refused, taken }) })
  }
  return { servers, leftOut }
}

function notTaken(entry: Readonly<Record<string, unknown>>, { refused, taken }: Fields): readonly McpImportNote[] {
  return Object.keys(entry)
    .filter((field) => !taken.includes(field))
    .map((field) => ({ what: field, why: refused[field] ?? 'It has no counterpart in Countersign.' }))
}

/** Returns a copy of `value` in which every text is changed. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, change)])) : value
}

/** JSON with comments and trailing commas, as VS Code and Gemini write it. Throws as `JSON.parse` does. */
export function parseWithComments(text: string): unknown {
  const plain = text.replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (_, string?: string) => string ?? '')
  return JSON.parse(plain.replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/gu, (_, string?: string) => string ?? ''))
}
