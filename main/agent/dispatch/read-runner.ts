import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { LayerOwner } from '../ports/layers.ts'
import type { SessionRecord } from '../record/session-record.ts'
import type { CallEnd } from './call-end.ts'
import type { Read } from './prepare.ts'
import { toolError, withWords } from '../tool-output.ts'
import { endOfCall, ranCall, type RunParts } from './execute.ts'
import { layerChangesEnded } from '../copies/layer-changes.ts'

/** Maximum number of parallel calls. Each search runs in its own process. */
const AT_ONCE = 8
/** How long a finished call waits for others before it is recorded, in ms, so that a round of quick reads costs one append. */
const GATHER_MS = 50

/** Runs a round's effect-free calls in parallel, and records their ends together. */
export interface ReadRunner {
  /** `onWaits` is called if the call cannot end before the changes of its subagent are judged. */
  start(part: ToolCallPart, commit: Read['commit'], onWaits: () => void): void
  /** Records a call that ended without running. */
  ended(end: CallEnd): void
  isRunning(): boolean
  /** Resolves when all calls have ended and are recorded. Rejects only if they cannot be recorded. */
  settled(): Promise<void>
}

export function createReadRunner(record: SessionRecord, parts: Omit<RunParts, 'record'>, signal: AbortSignal): ReadRunner {
  const running = new Set<Promise<void>>()
  const waiting: (() => void)[] = []
  const most = parts.parallel ? AT_ONCE : 1
  let active = 0
  let finished: DurableEvent[] = []
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
  /** `others`: whether other calls are still running and worth waiting for. */
  const gather = (end: DurableEvent, others: boolean): void => {
    finished.push(end)
    if (gathering || !others) return
    gathering = new AbortController()
    void flushLater(gathering.signal)
  }
  const run = async (part: ToolCallPart, commit: Read['commit'], onWaits: () => void): Promise<void> => {
    if (active >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    active++
    const { end, owner } = await endOf(part, commit, { ...parts, record }, signal)
    active--
    waiting.shift()?.()
    gather(end, running.size > 1)
    if (owner === null) return
    flush()
    onWaits()
    if (owner.kind === 'subagent') await parts.copies?.removeLayer(owner.agentId)
  }
  return {
    start(part, commit, onWaits) {
      const one: Promise<void> = run(part, commit, onWaits).finally(() => running.delete(one))
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

interface Ended {
  readonly end: DurableEvent
  /** The session whose changes wait to be judged. Null if the call has ended. */
  readonly owner: LayerOwner | null
}

async function endOf(part: ToolCallPart, commit: Read['commit'], parts: RunParts, signal: AbortSignal): Promise<Ended> {
  const ran = await ranCall(part, commit, parts, signal)
  const { layerChanges, ...output } = ran.output
  const { copies } = parts
  if (!layerChanges || !copies || signal.aborted) return { end: await endOfCall(part, { ...ran, output }, parts, signal), owner: null }
  try {
    const end = await layerChangesEnded(part, { ...output, layerChanges }, ran.durationMs ?? 0, { ...parts, copies })
    return { end, owner: layerChanges.owner }
  } catch (error) {
    const lost = withWords({ ...output, isError: true }, `Its changes were not applied. ${toolError(error)}`)
    return { end: await endOfCall(part, { ...ran, output: lost, outcome: 'failed' }, parts, signal), owner: null }
  }
}
