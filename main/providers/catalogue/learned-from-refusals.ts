/** Facts about models that were learned from refusals, by service (provider and address) and model. */
export interface Learned {
  /** Request members that the service rejected within the last week, by path. */
  refused(service: string, model: string): readonly string[]
  refuse(service: string, model: string, member: string): void
  /** The maximum number of tokens of a request, as stated in a refusal; null if unknown. */
  window(service: string, model: string): number | null
  setWindow(service: string, model: string, tokens: number): void
}

/** The storage for what was learned. `read` may return any value. `createLearned` calls it once, on first use. */
export interface LearnedStorage {
  read(): unknown
  write(kept: object): void
}

interface Entry {
  readonly refused: Readonly<Record<string, number>>
  readonly window: number | null
}

/** A rejected member is tried again after this time (ms), because the account or the server may have changed. */
const TRY_AGAIN_MS = 7 * 86_400_000
const MAX_ENTRIES = 500

export function createLearned(now: () => number, storage?: LearnedStorage): Learned {
  let read: Map<string, Entry> | null = null
  const shapes = new Map<string, readonly string[]>()
  const entries = (): Map<string, Entry> => (read ??= entriesIn(storage?.read()))
  const key = (service: string, model: string): string => `${service} ${model}`
  const change = (name: string, entry: Entry): void => {
    shapes.delete(name)
    // The newest entry must be last, because the oldest entries are removed first.
    entries().delete(name)
    entries().set(name, entry)
    for (const old of [...entries().keys()].slice(0, Math.max(0, entries().size - MAX_ENTRIES))) entries().delete(old)
    storage?.write(Object.fromEntries(entries()))
  }
  const at = (name: string): Entry => entries().get(name) ?? { refused: {}, window: null }
  return {
    refused(service, model) {
      const name = key(service, model)
      const fresh = Object.entries(at(name).refused).flatMap(([member, atMs]) => (now() - atMs < TRY_AGAIN_MS ? [member] : []))
      const known = shapes.get(name)
      if (known?.length === fresh.length) return known
      shapes.set(name, fresh)
      return fresh
    },
    refuse: (service, model, member) =>
      change(key(service, model), { ...at(key(service, model)), refused: { ...at(key(service, model)).refused, [member]: now() } }),
    window: (service, model) => at(key(service, model)).window,
    setWindow: (service, model, window) => change(key(service, model), { ...at(key(service, model)), window }),
  }
}

function entriesIn(kept: unknown): Map<string, Entry> {
  if (kept === null || typeof kept !== 'object') return new Map()
  return new Map(
    Object.entries(kept).flatMap(([name, value]: [string, unknown]): readonly [string, Entry][] => {
      if (value === null || typeof value !== 'object') return []
      const { refused, window } = value as { readonly refused?: unknown; readonly window?: unknown }
      const times = Object.entries(refused ?? {}).filter((pair): pair is [string, number] => typeof pair[1] === 'number')
      return [[name, { refused: Object.fromEntries(times), window: typeof window === 'number' && window > 0 ? window : null }]]
    }),
  )
}
