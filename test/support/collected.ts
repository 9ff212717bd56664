import type { ModelAnswer, ModelRequest, ProviderEvent, ProviderFailure } from '../../main/agent/ports/provider.ts'

/** The collected answer of a provider. Exactly one of `answer` and `failure` is not null. */
export interface Collected {
  readonly events: readonly ProviderEvent[]
  readonly text: string
  readonly thinking: string
  readonly answer: ModelAnswer | null
  readonly failure: ProviderFailure | null
  readonly partial: ModelAnswer | null
}

/** Reads the stream to its end. Fails unless there is exactly one `finish` or `failure` event and it is the last one. */
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

/** Returns a request with one user message. `parts` replaces any of its members. */
export function request(model: string, parts: Partial<ModelRequest> = {}): ModelRequest {
  return { model, system: 'You are tested.', tools: [], turns: [{ kind: 'user', content: 'Hello' }], effort: null, ...parts }
}
