import type { Trouble } from '../../shared/session/events.ts'

/** A trouble for standard error: what happened, what was kept, what to do, a line each. */
export function sentences({ what, kept, todo }: Trouble): string {
  return `${what}\n${kept}\n${todo}\n`
}
