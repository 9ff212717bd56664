import { dirname, join, relative } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { agentPaths } from '../prompt/agent-documents.ts'
import { PROJECT_FILES } from '../prompt/project-files.ts'

/** Levels searched for a repository's root. */
const MOST_LEVELS = 40

/** What opening a folder would read or load once trusted, as paths from it. Only checks which names exist; reads no file. */
export async function wouldLoad(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  const levels = await levelsOf(env, folder)
  const documents = levels.flatMap((level) => PROJECT_FILES.documents.map((name) => join(level, name)))
  const own = [PROJECT_FILES.memory, ...PROJECT_FILES.planned].map((name) => join(folder, name))
  const candidates = [...documents, ...own, ...(await agentPaths(env, folder))]
  const found = await Promise.all(candidates.map((path) => exists(env, path)))
  return candidates.filter((_, at) => found[at]).map((path) => relative(folder, path).replaceAll('\\', '/'))
}

/** From the repository's root down to the folder; outside a repository, the folder alone. */
async function levelsOf(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  const levels: string[] = []
  for (let level = folder; levels.length < MOST_LEVELS; level = dirname(level)) {
    levels.unshift(level)
    if (await exists(env, join(level, '.git'))) return levels
    if (dirname(level) === level) break
  }
  return [folder]
}

async function exists(env: ExecutionEnvironment, path: string): Promise<boolean> {
  return env.lstat(path).then(
    (stat) => stat !== null,
    () => false,
  )
}
