import type { Trouble } from '../../../../shared/session/events.ts'

/** What to do about a key that does not work, said where keys are set: `button` is the way on there. Other troubles say it themselves. */
export function todoHere({ code, todo }: Trouble, button: string): string {
  return code === 'authentication' || code === 'no_key' ? `“${button}” takes another one.` : todo
}
