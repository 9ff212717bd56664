import { setImmediate } from 'node:timers/promises'
import type { ModelAnswer, ModelRequest, Provider, ProviderEvent, ProviderFailure } from '../../../main/agent/ports/provider.ts'
import type { ScriptedBlock, ScriptedMessage } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { type ContentPart, NO_USAGE } from '../../../shared/session/content.ts'
import { call as callPart, callId } from './events.ts'

export type ProviderAnswer =
  | ScriptedMessage
  | { readonly kind: 'failure'; readonly failure: Partial<ProviderFailure>; readonly blocks?: readonly ScriptedBlock[] }

export type ProviderScript =
  | readonly ProviderAnswer[]
  | ((request: ModelRequest, index: number) => ProviderAnswer | Promise<ProviderAnswer>)

/** A scripted implementation of the provider port, for tests of the loop alone. Tests that involve HTTP use the scripted server. */
export function scriptedProvider(script: ProviderScript): Provider & { readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = []
  let calls = 0
  return {
    id: 'anthropic',
    requests,
    async *stream(request, signal) {
      const index = requests.push(request) - 1
      const answer = await interruptible(typeof script === 'function' ? script(request, index) : script[index], signal)
      if (!answer) return yield failure({ code: signal.aborted ? 'aborted' : 'server', message: `No answer for request ${index}.` }, [])
      const blocks = answer.blocks ?? []
      const parts = blocks.map((block) => partOf(block, () => `toolu_${++calls}`))
      yield* deltas(blocks)
      await setImmediate()
      if (signal.aborted) return yield failure({ code: 'aborted', message: 'Stopped.' }, parts)
      if (answer.kind === 'failure') return yield failure(answer.failure, parts)
      const usage = { ...NO_USAGE, input: answer.usage?.input ?? 0, output: answer.usage?.output ?? 0 }
      yield { kind: 'finish', answer: { parts, stopReason: stopReasonOf(answer, parts), responseId: `msg_${index}`, usage } }
    },
  }
}

async function interruptible<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
  return Promise.race([value, aborted])
}

function* deltas(blocks: readonly ScriptedBlock[]): Iterable<ProviderEvent> {
  yield { kind: 'start' }
  for (const block of blocks) {
    if (block.kind === 'text') yield { kind: 'text', text: block.text }
    if (block.kind === 'thinking') yield { kind: 'thinking', text: block.text }
    if (block.kind === 'call') yield { kind: 'call', toolName: block.name, chars: block.args.length }
  }
}

function partOf(block: ScriptedBlock, nextId: () => string): ContentPart {
  switch (block.kind) {
    case 'text':
      return { kind: 'text', text: block.text }
    case 'thinking':
      return { kind: 'thinking', text: block.text, signature: block.signature }
    case 'redacted':
      return { kind: 'opaque', data: block.data }
    case 'call':
      return { ...callPart('', block.name), toolCallId: callId(block.id ?? nextId()), argsText: block.args }
  }
}

function stopReasonOf(answer: ScriptedMessage, parts: readonly ContentPart[]): ModelAnswer['stopReason'] {
  if (answer.stopReason === 'max_tokens') return 'length'
  if (answer.stopReason === 'refusal') return 'content_filter'
  if (answer.stopReason === 'pause_turn') return 'pause'
  return parts.some((part) => part.kind === 'tool_call') ? 'tool_calls' : 'stop'
}

function failure(given: Partial<ProviderFailure>, parts: readonly ContentPart[]): ProviderEvent {
  return {
    kind: 'failure',
    failure: { code: 'unknown', message: 'It failed.', status: null, retryable: false, retryAfterMs: null, ...given },
    partial: { parts, stopReason: 'other', responseId: null, usage: NO_USAGE },
  }
}
