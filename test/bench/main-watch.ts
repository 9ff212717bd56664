import { createRequire } from 'node:module'
import { createHistogram } from 'node:perf_hooks'

/** The work of the main thread during a measurement. */
export interface Watched {
  /** Longest time in ms that the event loop was blocked. The resolution is 1 ms. */
  readonly longestMs: number
  /** Longest CPU time of the main thread in one task, in ms. Other programs on this machine do not change it. */
  readonly longestCpuMs: number
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
/** The time between two samples, in ms. */
const RESOLUTION_MS = 1
const SETTLE_MS = 20

const slow = new Map<string, { times: number; longestMs: number }>()

/** Watches the event loop of this process and every SQL statement that it runs during `work`. */
export async function watchMain(work: () => Promise<unknown>): Promise<Watched> {
  timeStatements()
  const samples = sampleEventLoop()
  // A task is measured between two samples, so there must be one sample before the work and one after it.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  slow.clear()
  const startedAt = performance.now()
  await work()
  const totalMs = performance.now() - startedAt
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const statements = [...slow].map(([sql, how]) => ({ sql, ...how })).toSorted((a, b) => b.longestMs - a.longestMs)
  return { ...samples.stop(), totalMs, statements }
}

/** Measures the time and the CPU time between the runs of a timer that fires every millisecond. */
function sampleEventLoop(): { stop(): Pick<Watched, 'longestMs' | 'longestCpuMs' | 'medianMs'> } {
  const delays = createHistogram()
  const cpuTimes = createHistogram()
  let at = performance.now()
  let cpu = process.threadCpuUsage()
  const timer = setInterval(() => {
    const used = process.threadCpuUsage(cpu)
    delays.record(1 + Math.max(0, Math.round((performance.now() - at - RESOLUTION_MS) * 1_000)))
    cpuTimes.record(1 + used.user + used.system)
    at = performance.now()
    cpu = process.threadCpuUsage()
  }, RESOLUTION_MS)
  return {
    stop() {
      clearInterval(timer)
      return { longestMs: delays.max / 1_000, longestCpuMs: cpuTimes.max / 1_000, medianMs: delays.percentile(50) / 1_000 }
    },
  }
}

export function told({ longestMs, longestCpuMs, medianMs, totalMs, statements }: Watched): string {
  const named = statements.map(
    ({ sql, times, longestMs: longest }) => `${longest.toFixed(0)} ms (${times} ×) ${sql.replace(/\s+/g, ' ').slice(0, 90)}`,
  )
  const slowest =
    named.length === 0 ? `no statement above ${SLOW_MS} ms` : `statements above ${SLOW_MS} ms: ${named.slice(0, 4).join('; ')}`
  return `longest task ${longestMs.toFixed(0)} ms (longest CPU time ${longestCpuMs.toFixed(0)} ms), median ${medianMs.toFixed(1)} ms, ${totalMs.toFixed(0)} ms in all; ${slowest}`
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
