import { useState } from 'react'

export interface ActiveRow {
  /** Index of the active row. 0 if there are no rows. */
  readonly active: number
  readonly move: (to: number) => void
  /** Makes the first row active, whatever is listed, until the user moves. */
  readonly restart: () => void
}

/**
 * Keeps the row that the user chose active when the list changes, for example because newer rows are listed above it. If that row is no
 * longer listed, the row at its position is active.
 */
export function useActiveRow(keys: readonly string[]): ActiveRow {
  const [chosen, setChosen] = useState<{ readonly at: number; readonly key: string | undefined }>(FIRST)
  return {
    active: indexOf(chosen, keys),
    move: (at) => setChosen({ at, key: keys[at] }),
    restart: () => setChosen(FIRST),
  }
}

const FIRST = { at: 0, key: undefined }

function indexOf({ at, key }: { readonly at: number; readonly key: string | undefined }, keys: readonly string[]): number {
  if (key === undefined) return 0
  // Several rows may have the same key, so the position comes first.
  const found = keys[at] === key ? at : keys.indexOf(key)
  return found === -1 ? Math.max(0, Math.min(at, keys.length - 1)) : found
}
