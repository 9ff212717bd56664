import { createRequire } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The work of the main thread during a measurement. */
export interface Watched {
  /** Longest time in ms that the event loop was blocked. The resolution is 1 ms. */
  readonly longestMs: number
  readonly medianMs: number
  readonly totalMs: number
  readonly statements: readonly SlowStatement[]
}

interface SlowStatement {
  readonly sql: string
  readonly times: number
  readonly longestMs: number
}

/** SQL statements that take longer than this are listed. In ms: one frame of a screen. */
const SLOW_MS = 16
/** The time between two samples of the monitor, in ms. */
const RESOLUTION_MS = 1
const SETTLE_MS = 20

const slow = new Map<string, { times: number; longestMs: number }>()

/** Watches the event loop of this process and every SQL statement that it runs during `work`. */
export async function watchMain(work: () => Promise<unknown>): Promise<Watched> {
  timeStatements()
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  monitor.enable()
  // The monitor measures between two samples, so there must be one sample before the work and one after it.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  slow.clear()
  const startedAt = performance.now()
  await work()
  const totalMs = performance.now() - startedAt
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  monitor.disable()
  const statements = [...slow].map(([sql, how]) => ({ sql, ...how })).toSorted((a, b) => b.longestMs - a.longestMs)
  return { longestMs: ms(monitor.max), medianMs: ms(monitor.percentile(50)), totalMs, statements }
}

const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

export function told({ longestMs, medianMs, totalMs, statements }: Watched): string {
  const named = statements.map(
    ({ sql, times, longestMs: longest }) => `${longest.toFixed(0)} ms (${times} ×) ${sql.replace(/\s+/g, ' ').slice(0, 90)}`,
  )
  const slowest =
    named.length === 0 ? `no statement above ${SLOW_MS} ms` : `statements above ${SLOW_MS} ms: ${named.slice(0, 4).join('; ')}`
  return `longest task ${longestMs.toFixed(0)} ms, median ${medianMs.toFixed(1)} ms, ${totalMs.toFixed(0)} ms in all; ${slowest}`
}

let isTiming = false

type Method = (this: { readonly source?: string }, ...args: unknown[]) => unknown

/** Times every statement of better-sqlite3 in this process. */
function timeStatements(): void {
  if (isTiming) return
  isTiming = true
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => {
    prepare(sql: string): object
    exec(sql: string): unknown
    close(): void
  }
  const db = new Database(':memory:')
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as Record<string, Method>
  for (const name of ['run', 'get', 'all']) time(statement, name, (self) => self.source ?? '')
  time(Object.getPrototypeOf(db) as Record<string, Method>, 'pragma', (_, args) => `PRAGMA ${String(args[0])}`)
  db.close()
}

function time(
  owner: Record<string, Method>,
  name: string,
  sqlOf: (self: { readonly source?: string }, args: readonly unknown[]) => string,
): void {
  const plain = owner[name]
  if (!plain) return
  owner[name] = function timed(...args) {
    const startedAt = performance.now()
    try {
      return plain.apply(this, args)
    } finally {
      const took = performance.now() - startedAt
      if (took > SLOW_MS) {
        const sql = sqlOf(this, args)
        const known = slow.get(sql)
        slow.set(sql, { times: (known?.times ?? 0) + 1, longestMs: Math.max(known?.longestMs ?? 0, took) })
      }
    }
  }
}
