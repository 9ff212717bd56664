import type { SessionState } from '../../../shared/session/state.ts'

/** From here on the desk says that the context grows full, and here it is compacted: shares of the model's window (DESIGN §4). */
export const WARNS_AT = 0.8
const COMPACTS_AT = 0.92

/** Where the session is compacted next: where a compaction was undone, only when the window is full. */
export function compactsAt({ wholeWanted }: Pick<SessionState, 'wholeWanted'>): number {
  return wholeWanted ? 1 : COMPACTS_AT
}
