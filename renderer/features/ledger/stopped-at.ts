import type { SessionState } from '../../../shared/session/state.ts'

/**
 * When the person stopped the last turn, ms since 1970; null: it goes on, or ended otherwise. A trouble as the last line is why it ended, and
 * says so itself.
 */
export function stoppedAt({ ended, run, items, updatedAt }: Pick<SessionState, 'ended' | 'run' | 'items' | 'updatedAt'>): number | null {
  if (ended !== 'stopped' || (run !== 'IDLE' && run !== 'CLOSED')) return null
  const last = items.at(-1)
  return last?.kind === 'notice' && last.level === 'error' ? null : updatedAt
}
