/** Browser storage: `localStorage` or `sessionStorage`. */
export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Returns a stored value. Null if there is none or the browser forbids storage. */
export function readStored(storage: BrowserStorage | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** Stores a value. Null removes it. If the storage is full or forbidden, only a pane width or a draft is lost. */
export function writeStored(storage: BrowserStorage | null, key: string, note: string | null): void {
  try {
    if (note === null) storage?.removeItem(key)
    else storage?.setItem(key, note)
  } catch {
    // A failure is ignored, because losing the value only costs convenience.
  }
}
