import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import { parseConfiguration } from '../workspace/configuration.ts'
import { type ReadServers, readServers } from '../mcp/configuration.ts'
import type { ServerChoice, ServersParts } from '../mcp/servers.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'
import { learnedFile } from './learned-file.ts'

const NONE: ReadServers = { servers: [], problems: [] }

const choicesSchema = once(() =>
  z.record(
    z.string(),
    z.object({
      entry: z.string(),
      tools: z.array(z.object({ name: z.string(), description: z.string(), schema: z.record(z.string(), z.json()) })).nullable(),
      off: z.array(z.string()),
      isFree: z.boolean(),
    }),
  ),
)

/**
 * The servers of `mcp.json` in the data folder and of a trusted folder's `.mcp.json`, the latter in the text that the person accepted. A
 * folder that is trusted for one run only starts no servers.
 */
export function mcpFiles(dataFolder: string, { folders }: Pick<Store, 'folders'>): ServersParts['read'] {
  const file = join(dataFolder, 'mcp.json')
  return (folder) => ({ you: ownServers(file), project: projectServers(folders, folder) })
}

function ownServers(file: string): ReadServers {
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
    const file = join(folder, accepted.path)
    return accepted.text === null ? { servers: [], problems: [`${file} is not text, or is too long.`] } : readServers(accepted.text, file)
  } catch (error) {
    if (error instanceof StorageError) return NONE
    throw error
  }
}

/** The person's decisions about servers, in `mcp-choices.json` of the data folder. If the file is lost, everything is asked again. */
export function mcpChoices(dataFolder: string): Pick<ServersParts, 'choice' | 'choose'> {
  const file = learnedFile(dataFolder, 'mcp-choices')
  const stored = file.read()
  const read = stored === null ? null : choicesSchema().safeParse(stored)
  const choices = new Map<string, ServerChoice>(read?.success ? Object.entries(read.data) : [])
  return {
    choice: (key) => choices.get(key) ?? null,
    choose(key, choice) {
      choices.set(key, choice)
      file.write(Object.fromEntries(choices))
    },
  }
}
