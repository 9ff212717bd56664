import { existsSync } from 'node:fs'
import type { Recovered } from './apply-journal.ts'
import type { IsControl } from './changes/ignored-tree.ts'

/**
 * Undoes what a killed process was applying, moves away the control files that its confined programs made, and removes its copies. Returns
 * what was moved and what could not be undone. Loads the code for this only if there was ever a copy, because this function runs at each
 * start.
 */
export async function recoverCopiesIn(layers: string, isControl: IsControl): Promise<readonly Recovered[]> {
  if (!existsSync(layers)) return []
  const { recoverCopies } = await import('./apply-journal.ts')
  return recoverCopies(layers, isControl)
}

/**
 * Removes the ignored trees that no open request needs. `waiting`: returns the stored change sets of requests without an answer. It is
 * called only if necessary.
 */
export async function removeHeldTrees(layers: string, waiting: () => Promise<readonly string[]>): Promise<void> {
  if (!existsSync(layers)) return
  const { heldLeftBehind, removeLayer } = await import('./overlay-layer.ts')
  const left = await heldLeftBehind(layers)
  if (left.length === 0) return
  const texts = await waiting()
  for (const name of left) if (!texts.some((text) => text.includes(name))) await removeLayer({ path: `${layers}/${name}` }).catch(() => {})
}
