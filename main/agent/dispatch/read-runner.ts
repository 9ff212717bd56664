import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { SessionRecord } from '../record/record.ts'
import type { CallEnd } from './call-end.ts'
import type { Read } from './prepare.ts'
import { runCall, type RunParts } from './execute.ts'

/** Maximum parallel calls: each search is a process of its own. */
const AT_ONCE = 8
/** How long a finished call waits for others before it is recorded, in ms, so that a round of quick reads costs one append. */
const GATHER_MS = 50

/** Runs the calls of a round that have no effects in parallel, and records their ends together. */
export interface ReadRunner {
  start(part: ToolCallPart, commit: Read['commit']): void
  /** Records a call that ended without running. */
  ended(end: CallEnd): void
  isRunning(): boolean
  /** Resolves when all have ended and are recorded. Rejects only if they cannot be recorded. */
  settled(): Promise<void>
}

export function createReadRunner(record: SessionRecord, parts: RunParts, signal: AbortSignal): ReadRunner {
  const running = new Set<Promise<void>>()
  const waiting: (() => void)[] = []
  const most = parts.parallel ? AT_ONCE : 1
  let active = 0
  let finished: CallEnd[] = []
  let gathering: AbortController | null = null
  let failure: { readonly error: unknown } | null = null

  const flush = (): void => {
    gathering?.abort('over')
    gathering = null
    const [first, ...rest] = finished
    finished = []
    if (first) record.append(first, ...rest)
  }
  const flushLater = async (signal: AbortSignal): Promise<void> => {
    try {
      await parts.clock.sleep(GATHER_MS, signal)
    } catch {
      return
    }
    try {
      flush()
    } catch (error) {
      failure = { error }
    }
  }
  /** `others`: other calls are still running, so waiting is worthwhile. */
  const gather = (end: CallEnd, others: boolean): void => {
    finished.push(end)
    if (gathering || !others) return
    gathering = new AbortController()
    void flushLater(gathering.signal)
  }
  const run = async (part: ToolCallPart, commit: Read['commit']): Promise<void> => {
    if (active >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    active++
    const end = await runCall(part, commit, { ...parts, record }, signal)
    active--
    waiting.shift()?.()
    gather(end, running.size > 1)
  }
  return {
    start(part, commit) {
      const one: Promise<void> = run(part, commit).finally(() => running.delete(one))
      running.add(one)
    },
    ended: (end) => gather(end, running.size > 0),
    isRunning: () => running.size > 0,
    async settled() {
      while (running.size > 0) await Promise.all(running)
      if (failure) throw failure.error
      flush()
    },
  }
}
