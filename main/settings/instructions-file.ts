import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Trouble } from '../../shared/session/events.ts'

/** The person's own instructions for every project, in the data folder. */
const NAME = 'instructions.md'
/** Longer instructions (bytes) would fill the model's window. */
const MOST = 64 * 1024

export interface PersonsInstructions {
  /** Trimmed; empty: there is no such file, or it cannot be used. */
  readonly text: string
  readonly trouble: Trouble | null
}

export async function personsInstructions(dataFolder: string): Promise<PersonsInstructions> {
  const path = join(dataFolder, NAME)
  try {
    const file = await open(path)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > MOST) return unused(path, 'It is not a file of at most 64 KB.')
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()).trim(), trouble: null }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { text: '', trouble: null }
    return unused(path, error instanceof Error ? error.message : String(error))
  }
}

function unused(path: string, why: string): PersonsInstructions {
  return {
    text: '',
    trouble: {
      code: 'instructions_file',
      what: `Your instructions in ${path} were not used: ${why}`,
      kept: 'The file as it is. The instructions in the settings are used.',
      todo: 'Correct the file. It is read when a session is opened.',
    },
  }
}
