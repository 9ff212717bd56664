import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'

/** The warnings that a session got, so that the same is not said twice, also after a restart. */
export interface GivenWarnings {
  add(event: DurableEvent): void
  has(trouble: Trouble): boolean
}

export function createGivenWarnings(): GivenWarnings {
  const given = new Set<string>()
  const nameOf = ({ code, what }: Trouble): string => `${code} ${what}`
  return {
    add: (event) => void (event.kind === 'WARNING' && given.add(nameOf(event.trouble))),
    has: (trouble) => given.has(nameOf(trouble)),
  }
}
