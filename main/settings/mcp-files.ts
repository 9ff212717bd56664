import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import { parseConfiguration } from '../workspace/program-starting-configuration.ts'
import { type ReadServers, readServers, type ServerDraft } from '../mcp/server-entries.ts'
import { type Choices, hashOfEntry, keyOf, type ServerChoice } from '../mcp/server-choices.ts'
import type { ServersParts } from '../mcp/servers.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { TrustedThere } from '../rules/project-rules.ts'
import { isFar } from '../../shared/places/address.ts'
import type { Store } from '../store/store.ts'
import { jsonDataFile } from './json-data-file.ts'
import { stampOf } from './settings-file.ts'

const NONE: ReadServers = { servers: [], problems: [] }

const choicesSchema = once(() =>
  z.record(
    z.string(),
    z.object({
      entry: z.string(),
      tools: z.array(z.object({ name: z.string(), description: z.string(), schema: z.record(z.string(), z.json()) })).nullable(),
      off: z.array(z.string()),
      isFree: z.boolean(),
      scripts: z.record(z.string(), z.record(z.string(), z.string())).exactOptional(),
    }),
  ),
)

export interface McpFileParts extends Choices {
  readonly dataFolder: string
  readonly store: Pick<Store, 'folders'>
  /** The folder that is trusted only for this run; null if there is none. */
  readonly trusted: string | null
  /** The folder on another machine that is trusted only for this run. */
  trustedThere(): TrustedThere | null
}

/**
 * Reads the servers in `mcp.json` of the data folder and in a folder's `.mcp.json`. For a trusted folder, uses the text that the user
 * accepted. If a folder is trusted only for this run, one of its servers starts only if the user has already approved tools of an identical
 * entry, or has asked for the server by name.
 */
export function mcpFiles({ dataFolder, store: { folders }, trusted, trustedThere, choice }: McpFileParts): ServersParts['read'] {
  const file = join(dataFolder, 'mcp.json')
  const serversThere = (folder: string, mayStart: (draft: ServerDraft) => boolean): ReadServers => {
    const there = trustedThere()
    if (folder !== there?.address || folders.trust(folder) === true) return projectServers(folders, folder)
    return there.servers === undefined ? NONE : withoutUnknown(serversInText(there.servers, join(folder, '.mcp.json')), mayStart)
  }
  return (folder, named) => {
    const isForThisRun = folder === trusted && folders.trust(folder) !== true
    const mayStart = ({ name, entry }: ServerDraft): boolean => {
      const kept = choice(keyOf('project', folder, name))
      return name === named || (kept?.entry === hashOfEntry(entry) && kept.tools !== null)
    }
    const you = serversIn(file)
    if (isFar(folder)) return { you: withoutPrograms(you), project: serversThere(folder, mayStart) }
    return {
      you,
      project: isForThisRun ? withoutUnknown(serversIn(join(folder, '.mcp.json')), mayStart) : projectServers(folders, folder),
    }
  }
}

/** The user's own programs are on this computer, and do not see a folder on another machine. */
function withoutPrograms({ servers, problems }: ReadServers): ReadServers {
  const programs = servers.filter(({ entry }) => entry.type === 'stdio')
  const words = programs.map(
    ({ name }) => `Your MCP server ${name} was not started, because it is a program on this computer and the folder is on another machine.`,
  )
  return { servers: servers.filter((draft) => !programs.includes(draft)), problems: [...problems, ...words] }
}

const serversInText = (text: string | null, file: string): ReadServers =>
  text === null ? { servers: [], problems: [`${file} is not text, or is too long.`] } : readServers(text, file)

function withoutUnknown({ servers, problems }: ReadServers, mayStart: (draft: ServerDraft) => boolean): ReadServers {
  const left = servers.filter((draft) => !mayStart(draft))
  const words = left.map(
    ({ name }) =>
      `The MCP server ${name} of .mcp.json was not started, because you have not approved it. To see its tools and approve them: npm run -s agent -- mcp approve ${name}`,
  )
  return { servers: servers.filter(mayStart), problems: [...problems, ...words] }
}

function serversIn(file: string): ReadServers {
  try {
    return readServers(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NONE
    return { servers: [], problems: [`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`] }
  }
}

function projectServers(folders: Store['folders'], folder: string): ReadServers {
  try {
    if (folders.trust(folder) !== true) return NONE
    const accepted = parseConfiguration(folders.configuration(folder)).find(({ path }) => path === '.mcp.json')
    if (!accepted) return NONE
    return serversInText(accepted.text, join(folder, accepted.path))
  } catch (error) {
    if (error instanceof StorageError) return NONE
    throw error
  }
}

/**
 * The user's decisions about servers, in `mcp-choices.json` of the data folder, as this process last read them. If the file is lost, the
 * user is asked about everything again.
 */
export function mcpChoices(dataFolder: string): Pick<ServersParts, 'choice' | 'choose' | 'look'> {
  const stored = jsonDataFile(dataFolder, 'mcp-choices')
  const file = join(dataFolder, 'mcp-choices.json')
  const servers = join(dataFolder, 'mcp.json')
  const read = (): ReadonlyMap<string, ServerChoice> => {
    const parsed = choicesSchema().safeParse(stored.read() ?? {})
    return new Map(parsed.success ? Object.entries(parsed.data) : [])
  }
  // Both stamps are taken before the file is read, so that a change made in between is noticed.
  let stamp = stampOf(file)
  let serversStamp = stampOf(servers)
  let choices = read()
  return {
    choice: (key) => choices.get(key) ?? null,
    choose(key, choice) {
      // Another process may have written its own decisions in the meantime.
      choices = new Map([...choices, ...read(), [key, choice]])
      stored.write(Object.fromEntries(choices))
      stamp = stampOf(file)
    },
    look() {
      const now = stampOf(file)
      const serversNow = stampOf(servers)
      if (now === stamp && serversNow === serversStamp) return null
      const hasOtherServers = serversNow !== serversStamp && isReadable(servers)
      const before = choices
      if (now !== stamp) choices = read()
      stamp = now
      serversStamp = serversNow
      return { before, hasOtherServers }
    },
  }
}

/**
 * Whether a file is missing or contains valid JSON. A file that is being edited by hand may be invalid for a while. The running servers
 * keep running until it is valid again.
 */
function isReadable(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
