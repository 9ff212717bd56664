import { existsSync } from 'node:fs'
import type { Trouble } from '../../../shared/session/events.ts'

/**
 * Undoes what a process that died was applying, and removes its copies. Returns what could not be undone. Loads the code for it only if
 * there was ever a copy, because this runs at each start.
 */
export async function recoverCopiesIn(layers: string): Promise<readonly Trouble[]> {
  if (!existsSync(layers)) return []
  const { recoverCopies } = await import('./journal.ts')
  return recoverCopies(layers)
}
