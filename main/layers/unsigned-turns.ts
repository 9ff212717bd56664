import type { SessionId } from '../../shared/lib/ids.ts'
import type { TurnOfAgent } from '../../shared/session/effects.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import type { Store } from '../store/store.ts'
import { decidedRequests } from './decided-requests.ts'

interface UnsignedParts {
  readonly store: Pick<Store, 'log' | 'ledger' | 'prepare'>
  /** The session whose work is brought in. */
  readonly from: SessionId
  /** The session that asks for the signature. */
  readonly asking: SessionId
}

/** Number of events that are read at once. */
const BATCH = 50

/** The session's turns since the newest decided request that changed any of these files (absolute paths). */
export async function unsignedTurns(parts: UnsignedParts, paths: ReadonlySet<string>): Promise<readonly TurnOfAgent[]> {
  const { store, from, asking } = parts
  await store.prepare(from)
  const since = (await decidedRequests(store, asking)).at(-1)?.at ?? 0
  const slice = createSlices()
  const starts: number[] = []
  let signed = 0
  for (const { seq, at, event } of store.log(from).read({ after: 0 })) {
    if (event.kind === 'USER_INPUT') starts.push(seq)
    if (at <= since) signed = seq
    await slice()
  }
  const turns = new Map<number, TurnOfAgent>()
  for (let after = signed; ;) {
    const found = store.ledger.changes(from, after, BATCH)
    for (const { seq, step, event } of found) {
      if (event.kind !== 'FILES_CHANGED' || !event.files.some(({ path }) => paths.has(path))) continue
      const turn = starts.filter((start) => start < seq).length
      turns.set(turn, { turn, first: turns.get(turn)?.first ?? step, last: step })
    }
    const last = found.at(-1)
    if (!last || found.length < BATCH) return [...turns.values()]
    after = last.seq
    await slice()
  }
}
