import type { QueuedInput } from '../../../shared/session/state.ts'
import { counted } from '../../ui/format.ts'

/** When the agent gets a message that waits. */
export function queueWords({ held, delivery }: Pick<QueuedInput, 'held' | 'delivery'>): string {
  if (held)
    return delivery === 'steer'
      ? 'not sent, since you stopped: goes out with your next message'
      : 'not sent, since you stopped: goes out after your next turn'
  return delivery === 'steer' ? 'reaches the agent after this round' : 'comes after this turn'
}

/** How many pictures go with it: `1 picture`. */
export function pictureWords({ pictures = [] }: Pick<QueuedInput, 'pictures'>): string {
  return counted(pictures.length, 'picture')
}
