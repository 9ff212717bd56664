/** Where a window keeps notes to itself: `localStorage` or `sessionStorage`. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A note, or null: none, or the browser forbids it. */
export function readNote(shelf: Shelf | null, key: string): string | null {
  try {
    return shelf?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** Null takes a note away. A full or forbidden shelf costs a remembered pane width or draft, no more. */
export function writeNote(shelf: Shelf | null, key: string, note: string | null): void {
  try {
    if (note === null) shelf?.removeItem(key)
    else shelf?.setItem(key, note)
  } catch {
    // As said: what is lost here is a convenience.
  }
}
