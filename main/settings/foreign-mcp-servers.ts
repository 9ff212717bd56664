import { isObject } from '../../shared/lib/json.ts'
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportedSecrets, McpImportNote, McpImportPreview, McpImportServer } from '../../shared/api/mcp.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { readServers, type ServerEntry, variableOf, variablesOf } from '../mcp/server-entries.ts'
import { importClaude, importCodex, importGemini, importVsCode } from '../mcp/import/import-from-agents.ts'
import type { ForeignServers } from '../mcp/import/foreign-entries.ts'
import { withoutSecrets } from '../mcp/import/secret-values.ts'
import type { McpServers } from '../mcp/servers.ts'
import { readTomlFields } from '../prompt/front-matter.ts'
import { writeDurably } from '../store/blobs/durable-file.ts'

export interface ForeignServerParts {
  readonly dataFolder: string
  readonly home: string
  /** A trusted folder whose files are also read; null if there is none. */
  readonly folder: string | null
}

export interface ChosenServers {
  readonly ids: readonly string[]
  readonly secrets: ImportedSecrets
}

interface Source {
  readonly agent: McpImportServer['agent']
  readonly file: string
}

interface Found {
  readonly shown: McpImportServer
  readonly entry: ServerEntry
}

/** The MCP servers in the files of other agents. Changes nothing and starts no server. */
export async function foreignServers(parts: ForeignServerParts): Promise<McpImportPreview> {
  const { files, found, leftOut } = await search(parts)
  return { files, servers: found.map(({ shown }) => shown), leftOut }
}

/**
 * Adds the servers with these ids to `mcp.json` of the data folder. An id stands for exactly the entry that the preview showed. If an entry
 * has changed since, no server is added.
 */
export async function importServers(
  parts: ForeignServerParts & Pick<McpServers, 'keepSecrets'>,
  { ids, secrets }: ChosenServers,
): Promise<Result<readonly string[], Trouble>> {
  const { found } = await search(parts)
  const chosen = found.filter(({ shown }) => ids.includes(shown.id) && !shown.isKnown)
  if (chosen.length < new Set(ids).size) return failed(CHANGED)
  const file = join(parts.dataFolder, 'mcp.json')
  try {
    const own = ownFile(file)
    const servers: Record<string, unknown> = { ...own.servers }
    const names: string[] = []
    for (const { shown, entry } of chosen) {
      const name = freeName(shown, servers)
      const without = withoutSecrets(shown.name, entry)
      // The secrets must be stored before the server is added, so that the server starts with them.
      if (secrets === 'store' && shown.secrets.length > 0) await parts.keepSecrets(name, without.secrets).catch(notKept)
      servers[name] = secrets === 'keep' ? entry : without.entry
      names.push(name)
    }
    const text = `${JSON.stringify({ ...own.rest, mcpServers: servers }, null, 2)}\n`
    writeDurably(join(parts.dataFolder, `.mcp-${randomUUID()}`), file, Buffer.from(text))
    return ok(names)
  } catch (error) {
    return failed(error instanceof NotKept ? notStored(error) : notWritten(file, error))
  }
}

/** The secrets of a server could not be kept. */
class NotKept extends Error {}

function notKept(error: unknown): never {
  throw new NotKept(error instanceof Error ? error.message : String(error))
}

/** Returns a name that is not taken. Different servers may have the same name, even in files of the same agent. */
function freeName({ name, agent }: McpImportServer, taken: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(taken, name)) return name
  let free = `${name}-${agent}`
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${name}-${agent}-${count}`
  return free
}

async function search({ dataFolder, home, folder }: ForeignServerParts) {
  const known = new Set(readServers(textOf(join(dataFolder, 'mcp.json')) ?? '{"mcpServers":{}}', '').servers.map(({ name }) => name))
  const files: string[] = []
  const found: Found[] = []
  const leftOut: (McpImportNote & { readonly file: string })[] = []
  for (const source of sourcesIn(home, folder)) {
    const text = textOf(source.file)
    if (text === null) continue
    files.push(source.file)
    const read = await imported(source.agent, text, folder)
    leftOut.push(...read.leftOut.map((note) => ({ ...note, file: source.file })))
    for (const { name, entry, notTaken } of read.servers)
      found.push({ entry, shown: { ...shownOf(source, name, entry), notTaken, isKnown: known.has(name) } })
  }
  return { files, found, leftOut }
}

function shownOf({ agent, file }: Source, name: string, entry: ServerEntry): Omit<McpImportServer, 'notTaken' | 'isKnown'> {
  const id = createHash('sha256')
    .update(JSON.stringify([file, name, entry]))
    .digest('hex')
  const { entry: plain, secrets } = withoutSecrets(name, entry)
  const target = plain.type === 'stdio' ? [plain.command, ...plain.args].join(' ') : plain.url
  return {
    id,
    agent,
    file,
    name,
    target,
    variables: variablesOf(entry).map((one) => one.name),
    secrets: Object.keys(secrets).map(variableOf),
  }
}

function sourcesIn(home: string, folder: string | null): readonly Source[] {
  const inside = folder === null ? [] : [folder]
  return [
    { agent: 'claude-code', file: join(home, '.claude.json') },
    ...vsCodeFolders(home).map((base): Source => ({ agent: 'vs-code', file: join(base, 'mcp.json') })),
    ...inside.map((base): Source => ({ agent: 'vs-code', file: join(base, '.vscode', 'mcp.json') })),
    ...[home, ...inside].flatMap((base): readonly Source[] => [
      { agent: 'codex', file: join(base, '.codex', 'config.toml') },
      { agent: 'gemini', file: join(base, '.gemini', 'settings.json') },
    ]),
  ]
}

/** The folder of VS Code's own settings on each platform. */
const vsCodeFolders = (home: string): readonly string[] => [
  join(home, '.config', 'Code', 'User'),
  join(home, 'Library', 'Application Support', 'Code', 'User'),
  join(home, 'AppData', 'Roaming', 'Code', 'User'),
]

async function imported(agent: Source['agent'], text: string, folder: string | null): Promise<ForeignServers> {
  const unreadable = (why: string): ForeignServers => ({ servers: [], leftOut: [{ what: 'the whole file', why }] })
  try {
    switch (agent) {
      case 'claude-code':
        return importClaude(text, folder)
      case 'vs-code':
        return importVsCode(text)
      case 'gemini':
        return importGemini(text)
      case 'codex': {
        const fields = await readTomlFields(text)
        return fields.ok ? importCodex(fields.value) : unreadable(fields.failure)
      }
    }
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error))
  }
}

function ownFile(file: string): { readonly servers: Readonly<Record<string, unknown>>; readonly rest: Readonly<Record<string, unknown>> } {
  const text = textOf(file)
  const parsed: unknown = text === null ? {} : JSON.parse(text)
  if (!isObject(parsed)) throw new Error('It is not an object.')
  const { mcpServers = {}, ...rest } = parsed
  if (!isObject(mcpServers)) throw new Error('"mcpServers" is not an object.')
  return { servers: mcpServers, rest }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const CHANGED: Trouble = {
  code: 'mcp_import',
  what: 'No server was added. At least one of those you chose was already added, or its entry was changed or removed after it was shown.',
  kept: 'Your mcp.json and the files of the other agents are unchanged.',
  todo: 'Check the servers again, then choose which to add.',
}

const notStored = ({ message }: NotKept): Trouble => ({
  code: 'mcp_import',
  what: `No server was added, because the secrets cannot be stored: ${message}`,
  kept: 'Your mcp.json and the files of the other agents are unchanged.',
  todo: 'Fix the problem and import again, or import without storing the values that look like secrets.',
})

const notWritten = (file: string, error: unknown): Trouble => ({
  code: 'mcp_import',
  what: `No server was added: ${file} cannot be changed: ${error instanceof Error ? error.message : String(error)}`,
  kept: 'The file and the files of the other agents are unchanged.',
  todo: 'Correct the file, or make room on the disk, then import again.',
})
