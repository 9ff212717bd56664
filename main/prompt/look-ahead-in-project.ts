import { join } from 'node:path'
import { lookAhead } from '../agent/one-look.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { PROJECT_CONFIG_PATHS } from './project-config-paths.ts'

const { documents, rules, memory, agents, executable } = PROJECT_CONFIG_PATHS
const LOOKED_FOR: ReadonlySet<string> = new Set([
  '.git',
  '',
  memory,
  rules,
  ...documents,
  ...agents.map(({ folder }) => folder),
  ...executable.map(({ path }) => path),
])

/** Asks at the same time for everything in a project that is looked for when it is opened. */
export const lookAheadInProject = (env: ExecutionEnvironment, folder: string): Promise<void> =>
  lookAhead(
    env,
    [...LOOKED_FOR].map((path) => join(folder, path)),
    'contents',
  )
