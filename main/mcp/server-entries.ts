import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'

const entrySchemas = once(() => {
  const common = { timeout: z.number().positive().optional() }
  const variables = z.record(z.string(), z.string())
  // The app's registration with the service, if the user registered it by hand. If `callbackPort` is absent, the app receives the sign-in's
  // answer on any free port.
  const oauth = z.object({
    clientId: z.string().min(1).optional(),
    clientSecret: z.string().min(1).optional(),
    callbackPort: z.number().int().min(1).max(65_535).optional(),
    scopes: z.string().min(1).optional(),
  })
  return {
    local: z.object({
      ...common,
      type: z.literal('stdio').default('stdio'),
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: variables.default({}),
    }),
    remote: z.object({
      ...common,
      type: z.enum(['http', 'streamable-http']),
      url: z.string().min(1),
      headers: variables.default({}),
      oauth: oauth.optional(),
    }),
  }
})
type EntrySchemas = ReturnType<typeof entrySchemas>

/**
 * An entry of `mcpServers`. Variables (`${NAME}`, `${NAME:-default}`) are not yet expanded. `timeout` is the limit for one call in ms.
 */
export type ServerEntry = z.infer<EntrySchemas['local']> | z.infer<EntrySchemas['remote']>

export interface ServerDraft {
  readonly name: string
  readonly entry: ServerEntry
}

export interface ReadServers {
  readonly servers: readonly ServerDraft[]
  /** One sentence for each entry that cannot be used. */
  readonly problems: readonly string[]
}

/** Maximum number of servers in one file, more than anyone needs. Any further servers are ignored. */
const MAX_SERVERS = 50

/**
 * Reads the text of a file in the format of Claude Code's `.mcp.json`. A broken entry does not affect the other entries. `file` is the
 * file's name for messages about problems.
 */
export function readServers(text: string, file: string): ReadServers {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return { servers: [], problems: [`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
  const whole = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(parsed)
  if (!whole.success) return { servers: [], problems: [`${file} has no object "mcpServers".`] }
  const servers: ServerDraft[] = []
  const problems: string[] = []
  for (const [name, value] of Object.entries(whole.data.mcpServers)) {
    const read = readEntry(value)
    if (name.trim() === '' || name.length > 100) problems.push(`${file}: the name of a server must have 1 to 100 characters.`)
    else if (typeof read === 'string') problems.push(`${file}: the server ${name} cannot be used. ${read}`)
    else if (servers.length >= MAX_SERVERS)
      problems.push(`${file}: the server ${name} is not used, because there are more than ${MAX_SERVERS} servers.`)
    else servers.push({ name, entry: read })
  }
  return { servers, problems }
}

/** Parses an entry of `mcpServers`. Returns a sentence if the entry cannot be used. */
export function readEntry(value: unknown): ServerEntry | string {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  const hasUrl = typeof value === 'object' && value !== null && 'url' in value
  if (type === 'sse' || type === 'ws') return `The type ${type} is not supported; use "stdio" or "http".`
  if (type === undefined && hasUrl) return 'It has a url but no type; add "type": "http".'
  const { local, remote } = entrySchemas()
  const parsed = (type === undefined || type === 'stdio' ? local : remote).safeParse(value)
  if (parsed.success) return parsed.data
  return parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The entry'}: ${message}.`).join(' ')
}

/** Matches `${NAME}`, `${NAME:-default}` and VS Code's `${input:id}`. */
const VARIABLE = /\$\{((?:input:)?[A-Za-z_][\w.-]*?)(?::-([^}]*))?\}/gu

/** A variable that an entry needs, as in `${NAME}`. */
export interface NeededVariable {
  readonly name: string
  readonly hasDefault: boolean
}

/** The variables of an entry in the order in which they occur, each once. */
export function variablesOf(entry: ServerEntry): readonly NeededVariable[] {
  const texts =
    entry.type === 'stdio'
      ? [entry.command, ...entry.args, ...Object.values(entry.env)]
      : [entry.url, ...Object.values(entry.headers), entry.oauth?.clientId ?? '', entry.oauth?.clientSecret ?? '']
  const found = texts.flatMap((text) =>
    [...text.matchAll(VARIABLE)].map(([, name = '', otherwise]) => ({ name, hasDefault: otherwise !== undefined })),
  )
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at)
}

/** The environment variable that can provide the value for `NAME` or `input:NAME`. */
export const variableOf = (name: string): string => name.replace(/^input:/u, '')

/**
 * Replaces `${NAME}` and `${NAME:-default}` in all texts of an entry. A variable that has neither a value nor a default is left unchanged,
 * as in Claude Code. `valueOf` throws for a variable that may not be passed on.
 */
export function expandEntry(entry: ServerEntry, valueOf: (name: string) => string | undefined): ServerEntry {
  const expanded = (text: string): string =>
    text.replaceAll(VARIABLE, (written, name: string, otherwise?: string) => valueOf(name) ?? otherwise ?? written)
  const all = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expanded(text)]))
  return entry.type === 'stdio'
    ? { ...entry, command: expanded(entry.command), args: entry.args.map(expanded), env: all(entry.env) }
    : {
        ...entry,
        url: expanded(entry.url),
        headers: all(entry.headers),
        ...(entry.oauth && { oauth: expandedOAuth(entry.oauth, expanded) }),
      }
}

type OAuthClient = NonNullable<Extract<ServerEntry, { readonly url: string }>['oauth']>

function expandedOAuth({ clientId, clientSecret, ...rest }: OAuthClient, expanded: (text: string) => string): OAuthClient {
  return { ...rest, ...(clientId && { clientId: expanded(clientId) }), ...(clientSecret && { clientSecret: expanded(clientSecret) }) }
}
