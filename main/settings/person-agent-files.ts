import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Maximum size in bytes. A longer file is rejected, because no description of an agent is that long. */
const LONGEST = 64 * 1024
/** Maximum number of files that are read from a folder. A home folder may contain collections of hundreds of agents. */
const MAX_AGENT_FILES = 64

export type PersonAgentFile = { readonly path: string; readonly format: 'own' | 'claude' | 'codex' } & (
  | { readonly text: string }
  | { readonly text: null; readonly why: string }
)

/**
 * The descriptions of subagent kinds that apply to every project: the files in `agents/` of the data folder, followed by those in the
 * user's `.claude/agents` and `.codex/agents`, each sorted by name. Empty if there are no such folders.
 */
export function personAgentFiles(dataFolder: string, home: string): readonly PersonAgentFile[] {
  const folders = [
    { folder: join(dataFolder, 'agents'), format: 'own' },
    { folder: join(home, '.claude', 'agents'), format: 'claude' },
    { folder: join(home, '.codex', 'agents'), format: 'codex' },
  ] as const
  return folders.flatMap(({ folder, format }) =>
    namesIn(folder, format === 'codex' ? '.toml' : '.md').map((name) => read(join(folder, name), format)),
  )
}

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .slice(0, MAX_AGENT_FILES)
  } catch {
    return []
  }
}

function read(path: string, format: PersonAgentFile['format']): PersonAgentFile {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > LONGEST)
      return { path, format, text: null, why: 'It is not a regular file, or it is larger than 64 KB.' }
    return { path, format, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) }
  } catch (error) {
    return { path, format, text: null, why: error instanceof Error ? error.message : String(error) }
  }
}
