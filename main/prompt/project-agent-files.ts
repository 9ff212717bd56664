import { join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { PROJECT_CONFIG_PATHS } from './project-config-paths.ts'
import { readablePath } from './readable-path.ts'

/** Maximum size in bytes. A longer file is rejected, because no description of an agent is that long. */
const LONGEST = 64 * 1024
/** Maximum number of files in a folder. A model could not choose from more. */
const MAX_DOCUMENTS = 64
/** Maximum depth of subfolders. */
const MAX_LEVELS = 4

type AgentFolder = (typeof PROJECT_CONFIG_PATHS.agents)[number]

export type ProjectAgentFile = { readonly path: string; readonly format: AgentFolder['format'] } & (
  | { readonly text: string }
  | { readonly text: null; readonly why: string }
)

/**
 * The files in the project's agent folders: our folder first, and by name within each folder. Call it only for a trusted folder. Links
 * that lead out of the project are not followed.
 */
export async function projectAgentFiles(env: ExecutionEnvironment, root: string): Promise<readonly ProjectAgentFile[]> {
  const found = await Promise.all(
    PROJECT_CONFIG_PATHS.agents.map(async ({ folder, format }) => {
      const paths = await pathsIn(env, join(root, folder), format)
      return Promise.all(paths.map(async (path) => ({ ...(await document(env, root, path)), path, format })))
    }),
  )
  return found.flat()
}

/** The paths of these files, without reading them. */
export async function agentPaths(env: ExecutionEnvironment, root: string): Promise<readonly string[]> {
  const found = await Promise.all(PROJECT_CONFIG_PATHS.agents.map(({ folder, format }) => pathsIn(env, join(root, folder), format)))
  return found.flat()
}

async function pathsIn(env: ExecutionEnvironment, folder: string, format: AgentFolder['format']): Promise<readonly string[]> {
  const ending = format === 'codex' ? '.toml' : '.md'
  const found: string[] = []
  const walk = async (at: string, level: number): Promise<void> => {
    const entries = (await env.stat(at))?.kind === 'folder' ? await env.listDirectory(at) : []
    for (const { name, isDir } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isDir && level < MAX_LEVELS) await walk(join(at, name), level + 1)
      else if (!isDir && name.endsWith(ending)) found.push(join(at, name))
    }
  }
  try {
    await walk(folder, 0)
  } catch {
    // If a folder cannot be listed, the files found before are kept.
  }
  return found.slice(0, MAX_DOCUMENTS)
}

async function document(env: ExecutionEnvironment, root: string, path: string): Promise<{ text: string } | { text: null; why: string }> {
  try {
    const real = await readablePath(env, root, path)
    if (!real.ok) return { text: null, why: real.failure }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await env.readBytes(real.value, { maxBytes: LONGEST })) }
  } catch (error) {
    return { text: null, why: error instanceof Error ? error.message : String(error) }
  }
}
