import { isObject } from '../../../shared/lib/json.ts'
import {
  CALLS_ASK,
  type Fields,
  type ForeignServers,
  parseWithComments,
  readEntries,
  STARTS_IN_FOLDER,
  SWITCHES,
  COMMON_FIELDS,
  withTexts,
} from './foreign-entries.ts'

type Entry = Readonly<Record<string, unknown>>

const NONE: ForeignServers = { servers: [], leftOut: [] }

const CLAUDE: Fields = {
  taken: [...COMMON_FIELDS, 'oauth'],
  refused: { headersHelper: 'Countersign runs no program to get headers. Enter the token as a secret of the server.' },
}

/** The user's servers in Claude Code's `~/.claude.json`, and its servers for one project. Throws if the text is not JSON. */
export function importClaude(text: string, folder: string | null): ForeignServers {
  const file = JSON.parse(text) as unknown
  if (!isObject(file)) return NONE
  const projects = isObject(file['projects']) ? file['projects'] : {}
  const project = folder === null ? undefined : projects[folder]
  // The project's settings override the user's.
  const table = { ...asTable(file['mcpServers']), ...asTable(isObject(project) ? project['mcpServers'] : undefined) }
  return readEntries(table, CLAUDE, (entry) => entry)
}

const VS_CODE: Fields = {
  taken: [...COMMON_FIELDS, 'gallery', 'version'],
  refused: {
    envFile: 'Set its variables as secrets of the server.',
    cwd: STARTS_IN_FOLDER,
    sandboxEnabled: 'Servers are confined here wherever that is possible.',
    dev: 'It is only for developing the server.',
  },
}

/**
 * The `servers` of VS Code's `mcp.json`. Inputs are kept as `${input:id}`; the user enters their values as secrets. Throws if the text
 * is not JSON.
 */
export function importVsCode(text: string): ForeignServers {
  const file = parseWithComments(text)
  if (!isObject(file)) return NONE
  const words = (value: string): string =>
    value.replaceAll(/\$\{env:(\w+)\}/gu, '${$1}').replaceAll(/\$\{workspaceFolder(?::[^}]*)?\}/gu, '.')
  return readEntries(file['servers'], VS_CODE, (entry) => withTexts(entry, words) as Entry)
}

const CODEX: Fields = {
  taken: [...COMMON_FIELDS, 'enabled', 'bearer_token_env_var', 'http_headers', 'env_http_headers', 'env_vars', 'tool_timeout_sec'],
  refused: {
    cwd: STARTS_IN_FOLDER,
    enabled_tools: SWITCHES,
    disabled_tools: SWITCHES,
    required: 'Sessions do not wait for servers here.',
    startup_timeout_sec: 'Every server has 60 seconds to start.',
    startup_timeout_ms: 'Every server has 60 seconds to start.',
  },
}

/** The `[mcp_servers]` table of Codex, already parsed from TOML. */
export function importCodex(fields: Entry): ForeignServers {
  return readEntries(fields['mcp_servers'], CODEX, (entry) => {
    if (entry['enabled'] === false) return 'It is switched off there.'
    const seconds = entry['tool_timeout_sec']
    const timeout = typeof seconds === 'number' && { timeout: seconds * 1000 }
    if (typeof entry['url'] !== 'string') {
      const passed = Array.isArray(entry['env_vars']) ? entry['env_vars'].filter((name) => typeof name === 'string') : []
      const env = { ...Object.fromEntries(passed.map((name) => [name, `\${${name}}`])), ...asTable(entry['env']) }
      return { command: entry['command'], args: entry['args'] ?? [], env, ...timeout }
    }
    const token = entry['bearer_token_env_var']
    const fromVariables = Object.entries(asTable(entry['env_http_headers'])).map(([header, name]): [string, string] => [
      header,
      `\${${String(name)}}`,
    ])
    const headers: Record<string, unknown> = {
      ...asTable(entry['http_headers']),
      ...Object.fromEntries(fromVariables),
      ...(typeof token === 'string' && { Authorization: `Bearer \${${token}}` }),
    }
    return { type: 'http', url: entry['url'], headers, ...timeout }
  })
}

const GEMINI: Fields = {
  taken: [...COMMON_FIELDS, 'httpUrl', 'description'],
  refused: { trust: CALLS_ASK, includeTools: SWITCHES, excludeTools: SWITCHES, cwd: STARTS_IN_FOLDER },
}

/**
 * The `mcpServers` of Gemini's `settings.json`. Gemini replaces an unset variable with the empty string, so imported variables get an empty
 * default. Throws if the text is not JSON.
 */
export function importGemini(text: string): ForeignServers {
  const file = parseWithComments(text)
  if (!isObject(file)) return NONE
  const words = (value: string): string =>
    value.replaceAll(/\$(?:\{(\w+)\}|([A-Za-z_]\w*))/gu, (_, braced?: string, bare?: string) => `\${${braced ?? bare ?? ''}:-}`)
  return readEntries(file['mcpServers'], GEMINI, (entry) => {
    const { httpUrl, url, headers = {}, command, args = [], env = {}, timeout } = withTexts(entry, words) as Entry
    const limit = timeout !== undefined && { timeout }
    if (httpUrl !== undefined) return { type: 'http', url: httpUrl, headers, ...limit }
    if (url !== undefined && entry['type'] === 'http') return { type: 'http', url, headers, ...limit }
    if (url !== undefined) return 'Its url is one for server-sent events (SSE), which are not supported; use httpUrl.'
    return { command, args, env, ...limit }
  })
}

const asTable = (value: unknown): Entry => (isObject(value) ? value : {})
