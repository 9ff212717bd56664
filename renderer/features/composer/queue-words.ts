import type { QueuedInput } from '../../../shared/session/state.ts'

/** When the agent gets a message that waits. */
export function queueWords({ held, delivery }: Pick<QueuedInput, 'held' | 'delivery'>): string {
  if (held) return delivery === 'steer' ? 'held by the stop, goes with your next message' : 'held by the stop, goes after your next turn'
  return delivery === 'steer' ? 'reaches the agent after this round' : 'comes after this turn'
}
