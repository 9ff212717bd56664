import { isInside } from '../inside.ts'
import { join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { PROJECT_FILES } from './project-files.ts'

/** Bytes. A longer file is not a description of an agent. */
const LONGEST = 64 * 1024
/** More would be too many for a model to choose from. */
const MOST = 64

export type AgentDocument = { readonly path: string } & ({ readonly text: string } | { readonly text: null; readonly why: string })

/**
 * The Markdown files in the project's `.countersign/agents`, by name; empty without that folder. Call it only for a trusted folder. Links that
 * lead out of the folder are not followed.
 */
export async function agentDocuments(env: ExecutionEnvironment, root: string): Promise<readonly AgentDocument[]> {
  const paths = await agentPaths(env, root)
  return Promise.all(paths.map((path) => document(env, root, path)))
}

/** The paths of these files, without reading them. */
export async function agentPaths(env: ExecutionEnvironment, root: string): Promise<readonly string[]> {
  const folder = join(root, PROJECT_FILES.agents)
  return (await namesIn(env, folder)).map((name) => join(folder, name))
}

async function namesIn(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  try {
    if ((await env.stat(folder))?.kind !== 'folder') return []
    const entries = await env.listDirectory(folder)
    return entries
      .flatMap(({ name, isDir }) => (!isDir && name.endsWith('.md') ? [name] : []))
      .toSorted()
      .slice(0, MOST)
  } catch {
    return []
  }
}

async function document(env: ExecutionEnvironment, root: string, path: string): Promise<AgentDocument> {
  try {
    const real = await env.realpath(path)
    if (!isInside(await env.realpath(root), real)) return { path, text: null, why: 'It leads out of the folder.' }
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(await env.readBytes(real, { maxBytes: LONGEST })) }
  } catch (error) {
    return { path, text: null, why: error instanceof Error ? error.message : String(error) }
  }
}
