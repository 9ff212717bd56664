import type { SessionId } from '../../shared/lib/ids.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import type { FamilyParts } from './family-requests.ts'

/** Stops those that are still at work, for when nobody is left who would ask for what they find. Resolves when their logs have their ends. */
export async function stopSubagents(ids: Iterable<SessionId>, open: FamilyParts['open']): Promise<void> {
  const stop = async (id: SessionId): Promise<void> => {
    const child = await open(id)
    if (child.ok && !isFinished(child.value.record.state())) await child.value.stop()
  }
  await Promise.all([...ids].map(stop))
}
