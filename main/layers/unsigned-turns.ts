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

/** The session's turns that changed any of these files (absolute paths) since the user has decided about the file, oldest first. */
export async function unsignedTurns(parts: UnsignedParts, paths: ReadonlySet<string>): Promise<readonly TurnOfAgent[]> {
  const { store, from, asking } = parts
  await store.prepare(from)
  const decided = await decidedRequests(store, asking)
  const decidedAt = new Map([...paths].map((path) => [path, decided.findLast(({ later }) => !later.has(path))?.at ?? 0]))
  const slice = createSlices()
  const starts: number[] = []
  /** The newest event before each of these times. */
  const before = new Map([...decidedAt.values()].map((time) => [time, 0]))
  for (const { seq, at, event } of store.log(from).read({ after: 0 })) {
    if (event.kind === 'USER_INPUT') starts.push(seq)
    for (const time of before.keys()) if (at <= time) before.set(time, seq)
    await slice()
  }
  const isOpen = (path: string, seq: number): boolean => seq > (before.get(decidedAt.get(path) ?? -1) ?? Infinity)
  const turns = new Map<number, TurnOfAgent>()
  for (let after = Math.min(...before.values()); ;) {
    const found = store.ledger.changes(from, after, BATCH)
    for (const { seq, step, event } of found) {
      if (event.kind !== 'FILES_CHANGED' || !event.files.some(({ path }) => isOpen(path, seq))) continue
      const turn = starts.filter((start) => start < seq).length
      turns.set(turn, { turn, first: turns.get(turn)?.first ?? step, last: step })
    }
    const last = found.at(-1)
    if (!last || found.length < BATCH) return [...turns.values()]
    after = last.seq
    await slice()
  }
}
