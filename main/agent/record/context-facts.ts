import type { BlobRef, DurableEvent, SessionConfigured } from '../../../shared/session/events.ts'

/** Prompt and tool list as the newest REQUEST_CONTEXT has them, and for which model that was. */
export interface ContextFact {
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
