import { dirname, join, relative } from 'node:path'
import type { LoadedFile, LoadedKind } from '../../shared/api/workspace.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { agentPaths } from '../prompt/project-agent-files.ts'
import { rulePaths } from '../prompt/instruction-rules.ts'
import { lookAheadInProject } from '../prompt/look-ahead-in-project.ts'
import { isInside } from '../is-inside.ts'
import { configurationPaths } from './program-starting-configuration.ts'
import { PROJECT_CONFIG_PATHS } from '../prompt/project-config-paths.ts'

/** Maximum number of levels that are searched for a repository's root. */
const MAX_LEVELS = 40

/** The files that would be read or loaded from a folder once it is trusted. Only checks which names exist, and reads no file. */
export async function filesLoadedOnceTrusted(env: ExecutionEnvironment, folder: string): Promise<readonly LoadedFile[]> {
  await lookAheadInProject(env, folder)
  const levels = await levelsOf(env, folder)
  const documents = levels.flatMap((level) => PROJECT_CONFIG_PATHS.documents.map((name) => join(level, name)))
  const rules = await Promise.all(levels.map((level) => rulePaths(env, join(level, PROJECT_CONFIG_PATHS.rules))))
  const agents = await agentPaths(env, folder)
  const executable = await configurationPaths(env, folder)
  const candidates: readonly LoadedFile[] = [
    ...[...documents, ...rules.flat()].map((path) => ({ path, kind: 'instructions' as const })),
    { path: join(folder, PROJECT_CONFIG_PATHS.memory), kind: 'memory' },
    ...executable.map((path) => ({ path, kind: executableKind(folder, path) })),
    ...agents.map((path) => ({ path, kind: 'agents' as const })),
  ]
  const found = await Promise.all(candidates.map(({ path }) => exists(env, path)))
  return candidates.filter((_, at) => found[at]).map(({ path, kind }) => ({ path: relative(folder, path).replaceAll('\\', '/'), kind }))
}

function executableKind(folder: string, path: string): LoadedKind {
  return PROJECT_CONFIG_PATHS.executable.find((own) => isInside(join(folder, own.path), path))?.kind ?? 'settings'
}

/** The folders from the repository's root down to this folder. Outside a repository, only this folder. */
async function levelsOf(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  const levels: string[] = []
  for (let level = folder; levels.length < MAX_LEVELS; level = dirname(level)) {
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
