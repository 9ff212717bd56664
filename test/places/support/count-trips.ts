import type { Connected, Connection } from './wire.ts'

/** Counts how many questions had to wait for an earlier answer: a call that begins after the answer to another one counts as the next. */
export interface TripCounter {
  readonly connection: (connected: Connected) => Pick<Connection, 'onMessage'>
  /** The number of trips in sequence since the last time, with the calls of each, and begins to count again. */
  taken(): { readonly trips: number; readonly calls: readonly string[] }
}

/** Messages that nobody waits for. */
const UNAWAITED = new Set(['prepareComparison', 'dropComparison', 'dropCopy'])

export function countTrips(): TripCounter {
  let depth = 0
  let calls: string[] = []
  const begun = new Map<string, number>()
  return {
    connection: ({ number }) => ({
      onMessage({ way, message: { kind, id, method = kind, args = {} } }) {
        const key = `${number} ${kind === 'open' || kind === 'ready' ? 'open' : id}`
        if (way === 'there' && (kind === 'open' || (kind === 'call' && !UNAWAITED.has(method)))) {
          begun.set(key, depth + 1)
          calls.push(`${depth + 1}: ${method} ${JSON.stringify(args).slice(0, 200)}`)
        }
        if (way === 'back' && (kind === 'done' || kind === 'failed' || kind === 'ready')) depth = Math.max(depth, begun.get(key) ?? 0)
      },
    }),
    taken() {
      const counted = { trips: depth, calls }
      depth = 0
      calls = []
      begun.clear()
      return counted
    },
  }
}
