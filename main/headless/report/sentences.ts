import type { Trouble } from '../../../shared/session/events.ts'
import { visibleLine } from './visible.ts'

/** A trouble for standard error: what happened, what was kept, what to do, a line each; nothing in them drives the terminal. */
export function sentences({ what, kept, todo }: Trouble): string {
  return `${[what, kept, todo].map(visibleLine).join('\n')}\n`
}
