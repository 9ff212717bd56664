import type { BlobRef, DurableEvent, SessionConfigured, Trouble } from '../../../shared/session/events.ts'

/** Prompt and tool list of the newest REQUEST_CONTEXT, and its model. */
interface ContextFact {
  readonly system: BlobRef
  readonly tools: BlobRef
  readonly config: Pick<SessionConfigured, 'provider' | 'model'>
}

export interface ContextFacts {
  add(event: DurableEvent): void
  newest(): ContextFact | null
}

export function createContextFacts(): ContextFacts {
  let config: ContextFact['config'] = { provider: 'anthropic', model: '' }
  let newest: ContextFact | null = null
  return {
    add(event) {
      if (event.kind === 'SESSION_START' || event.kind === 'SESSION_CONFIGURED') config = { provider: event.provider, model: event.model }
      else if (event.kind === 'REQUEST_CONTEXT') newest = { system: event.system, tools: event.tools, config }
    },
    newest: () => newest,
  }
}

/** The warnings a session already got, so that none is repeated, even after a restart. */
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
