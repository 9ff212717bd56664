import type { ModelAnswer, ModelRequest, ProviderEvent, ProviderFailure } from '../../main/agent/ports/provider.ts'

/** An answer of a provider, gathered. Exactly one of `answer` and `failure` is there. */
export interface Collected {
  readonly events: readonly ProviderEvent[]
  readonly text: string
  readonly thinking: string
  readonly answer: ModelAnswer | null
  readonly failure: ProviderFailure | null
  readonly partial: ModelAnswer | null
}

/** Reads to the end, and fails unless exactly one `finish` or `failure` came, and came last. */
export async function collected(stream: AsyncIterable<ProviderEvent>): Promise<Collected> {
  const events: ProviderEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  const ends = events.filter((event) => event.kind === 'finish' || event.kind === 'failure')
  if (ends.length !== 1 || ends[0] !== last) throw new Error(`Not exactly one end: ${JSON.stringify(events.map((event) => event.kind))}`)
  const joined = (kind: 'text' | 'thinking'): string => events.map((event) => (event.kind === kind ? event.text : '')).join('')
  return {
    events,
    text: joined('text'),
    thinking: joined('thinking'),
    answer: last?.kind === 'finish' ? last.answer : null,
    failure: last?.kind === 'failure' ? last.failure : null,
    partial: last?.kind === 'failure' ? last.partial : null,
  }
}

/** A request of one user message; anything else can be given. */
export function request(model: string, parts: Partial<ModelRequest> = {}): ModelRequest {
  return { model, system: 'You are tested.', tools: [], turns: [{ kind: 'user', content: 'Hello' }], effort: null, ...parts }
}
