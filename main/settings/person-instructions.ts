import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Trouble } from '../../shared/session/events.ts'

/** The user's own instructions for every project, in the data folder. */
const NAME = 'instructions.md'
/** Maximum size in bytes. Longer instructions would fill the model's context window. */
const MAX_FILE_BYTES = 64 * 1024

export interface PersonInstructions {
  /** The text, trimmed. Empty if there is no such file or it cannot be used. */
  readonly text: string
  readonly trouble: Trouble | null
  /**
   * The instructions that the user wrote for other agents. The keys are the names that the documents would have in a project, such as
   * `CLAUDE.md`.
   */
  readonly foreign: ReadonlyMap<string, string>
}

/** The files in the home folder in which other agents keep the user's instructions. */
const FOREIGN = [
  ['CLAUDE.md', '.claude/CLAUDE.md'],
  ['AGENTS.md', '.codex/AGENTS.md'],
  ['GEMINI.md', '.gemini/GEMINI.md'],
] as const

/**
 * Returns the instructions for a model: first those that the user wrote for agents of the model's family (if there are none, those for
 * another agent), and then those that the user wrote for Countersign.
 */
export function instructionsFor({ text, foreign }: PersonInstructions, names: readonly string[]): readonly string[] {
  const meant = [...foreign].flatMap(([name, words]) => (names.includes(name) ? [words] : []))
  return [...(meant.length > 0 ? meant : [...foreign.values()].slice(0, 1)), text]
}

export async function personInstructions(dataFolder: string, home: string): Promise<PersonInstructions> {
  const own = await instructionsAt(join(dataFolder, NAME))
  const others = await Promise.all(FOREIGN.map(async ([name, path]) => [name, await instructionsAt(join(home, path))] as const))
  return {
    ...own,
    trouble: own.trouble ?? others.find(([, { trouble }]) => trouble !== null)?.[1].trouble ?? null,
    foreign: new Map(others.flatMap(([name, { text }]) => (text === '' ? [] : [[name, text] as const]))),
  }
}

async function instructionsAt(path: string): Promise<Omit<PersonInstructions, 'foreign'>> {
  try {
    const file = await open(path)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return unused(path, 'It is not a regular file, or it is larger than 64 KB.')
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()).trim(), trouble: null }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { text: '', trouble: null }
    return unused(path, error instanceof Error ? error.message : String(error))
  }
}

function unused(path: string, why: string): Omit<PersonInstructions, 'foreign'> {
  return {
    text: '',
    trouble: {
      code: 'instructions_file',
      what: `Your instructions in ${path} were not used: ${why}`,
      kept: 'The file is unchanged. The instructions in the settings are used.',
      todo: 'Correct the file. It is read when a session is opened.',
    },
  }
}
