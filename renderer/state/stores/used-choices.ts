import { readStored, type BrowserStorage, writeStored } from './browser-storage.ts'

/** The options that were chosen in completions and the palette, so that they rank higher next time. They survive a reload. */
export interface UsedChoices {
  use(key: string): void
  /** 0 for the newest choice, higher for older choices, Infinity for unused ones. */
  rank(key: string): number
  /** For each used key that begins with this prefix, the part after it. Newest first. */
  after(prefix: string): readonly string[]
}

const NOTE = 'countersign.used-choices'
/** Maximum number of choices that are remembered. */
const MAX_KEPT = 300

export function createUsedChoices(storage: BrowserStorage | null): UsedChoices {
  let known = remembered(readStored(storage, NOTE))
  return {
    use(key) {
      // Another window may have added choices, so the stored choices are read again.
      const stored = storage ? remembered(readStored(storage, NOTE)) : known
      known = [key, ...stored.filter((one) => one !== key)].slice(0, MAX_KEPT)
      writeStored(storage, NOTE, JSON.stringify(known))
    },
    rank(key) {
      const at = known.indexOf(key)
      return at === -1 ? Infinity : at
    },
    after: (prefix) => known.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])),
  }
}

/** Sorts the options: used options first, the most recently used at the top. The other options keep their order. */
export function byUse<T extends { readonly used: string }>(options: readonly T[], used: UsedChoices): readonly T[] {
  return options.toSorted((a, b) => {
    const first = used.rank(a.used)
    const second = used.rank(b.used)
    return first === second ? 0 : first - second
  })
}

function remembered(note: string | null): readonly string[] {
  try {
    const stored: unknown = JSON.parse(note ?? '[]')
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}
