/** Browser storage: `localStorage` or `sessionStorage`. */
export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A stored value; null when there is none or the browser forbids storage. */
export function readStored(shelf: BrowserStorage | null, key: string): string | null {
  try {
    return shelf?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** Stores a value; null removes it. If the storage is full or forbidden, only a pane width or a draft is lost. */
export function writeStored(shelf: BrowserStorage | null, key: string, note: string | null): void {
  try {
    if (note === null) shelf?.removeItem(key)
    else shelf?.setItem(key, note)
  } catch {
    // only a convenience is lost
  }
}
