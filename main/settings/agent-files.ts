import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Longer files (bytes) are not descriptions of agents. */
const LONGEST = 64 * 1024

export type PersonsAgentFile = { readonly path: string } & ({ readonly text: string } | { readonly text: null; readonly why: string })

/** The Markdown files in `agents/` of the data folder, by name: kinds of subagents for every project. Empty if there is no such folder. */
export function personsAgentFiles(dataFolder: string): readonly PersonsAgentFile[] {
  const folder = join(dataFolder, 'agents')
  return namesIn(folder).map((name) => read(join(folder, name)))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .toSorted()
  } catch {
    return []
  }
}

function read(path: string): PersonsAgentFile {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > LONGEST) return { path, text: null, why: 'It is not a file of at most 64 KB.' }
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) }
  } catch (error) {
    return { path, text: null, why: error instanceof Error ? error.message : String(error) }
  }
}
