import { dirname, join, relative } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** Files that tell an agent how to work here, at every level from the repository's root to the folder (S-36). */
const DOCUMENTS = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.codex/instructions.md'] as const
/** What of the folder itself sets the app up or starts programs. */
const SETTINGS = ['.countersign/settings.json', '.countersign/hooks', '.countersign/commands', '.mcp.json'] as const
/** Levels up to which a repository's root is looked for. */
const MOST_LEVELS = 40

/** What opening a folder would read or load once it is trusted, as paths from it. Only asks whether names exist; reads nothing (C13). */
export async function wouldLoad(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  const levels = await levelsOf(env, folder)
  const documents = levels.flatMap((level) => DOCUMENTS.map((name) => join(level, name)))
  const candidates = [...documents, ...SETTINGS.map((name) => join(folder, name))]
  const found = await Promise.all(candidates.map((path) => exists(env, path)))
  return candidates.filter((_, at) => found[at]).map((path) => relative(folder, path).replaceAll('\\', '/'))
}

/** From the repository's root down to the folder; the folder alone outside a repository. */
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
