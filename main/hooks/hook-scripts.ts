import { join } from 'node:path'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { isSystemPath } from '../approval/command-line/known-places.ts'
import { executedFiles } from '../approval/executed-files.ts'
import { createPathFacts } from '../approval/path-facts.ts'

/** Folders with the programs of the user's own hooks, which are needed where programs see little of the machine. */
export const hookPrograms = (dataFolder: string, home: string): readonly string[] => [
  join(dataFolder, 'hooks'),
  ...['.claude', '.codex', '.gemini'].map((name) => join(home, name, 'hooks')),
]

/**
 * The scripts that the text of a hook names, with their content now. Programs of the system are left out, because only an administrator
 * changes them. Never rejects.
 */
export async function scriptsOf(
  { command, http, prompt }: Hook,
  { env, folder, home }: { readonly env: ExecutionEnvironment; readonly folder: string; readonly home: string | null },
): Promise<readonly ExecutedFile[]> {
  if (http || prompt) return []
  const disk = { env, place: createPathFacts({ env, root: folder, home }) }
  const line = withFolder(command, folder)
  const files = await executedFiles({ command: line, cwd: folder }, { root: folder, home }, disk, {
    read: (path, options) => env.readBytes(path, options),
  })
  return files.filter(({ path }) => !isSystemPath(path))
}

/** Fills in the variables with the project's folder, which hooks use to name their scripts. */
const withFolder = (command: string, folder: string): string =>
  command.replaceAll(/\$(?:(?:CLAUDE|COUNTERSIGN|GEMINI)_PROJECT_DIR\b|\{(?:CLAUDE|COUNTERSIGN|GEMINI)_PROJECT_DIR\})/gu, () =>
    folder.replaceAll(/[\\"$`]/gu, String.raw`\$&`),
  )
