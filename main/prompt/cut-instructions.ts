import type { Trouble } from '../../shared/session/events.ts'
import type { CutDocument } from './project-documents.ts'

/** Maximum number of files that are named. */
const NAMED = 5

/** Tells the user which instruction files the model gets only in part. `cut` is not empty. */
export function cutInstructions(cut: readonly CutDocument[]): Trouble {
  const named = cut.slice(0, NAMED).map(({ path, shown, bytes }) => `${path} (${inKb(shown)} of ${inKb(bytes)} KB)`)
  const others = cut.length > NAMED ? ` and ${cut.length - NAMED} more` : ''
  return {
    code: 'instructions_cut',
    what: `The project’s instructions are longer than 32 KB. The model gets only the first part of: ${named.join(', ')}${others}.`,
    kept: 'The files are unchanged, and the model gets their paths and sizes, so that it can read the rest.',
    todo: 'Put the most important instructions first, shorten the files, or move parts into the folders that they are about.',
  }
}

const inKb = (bytes: number): string => (bytes / 1024).toFixed(bytes < 10 * 1024 ? 1 : 0)
