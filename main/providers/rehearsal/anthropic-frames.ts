import type { RawMessageStreamEvent, Usage } from '@anthropic-ai/sdk/resources/messages'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { slicesOf, wordsOf, type ScriptedBlock, type ScriptedMessage } from './scripted-answer.ts'

/**
 * The frames of an Anthropic event stream for a scripted message, one frame per event. `seed` makes the ids unique within a conversation.
 */
export function anthropicFrames(message: ScriptedMessage, model: string, seed: string): readonly string[] {
  return [...anthropicEvents(message, model, seed)].map(frame)
}

function frame(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function* anthropicEvents(message: ScriptedMessage, model: string, seed: string): Generator<RawMessageStreamEvent> {
  const { blocks, usage = {} } = message
  const calls = blocks.some((block) => block.kind === 'call')
  yield { type: 'message_start', message: emptyMessage(model, seed, message) }
  for (const [index, block] of blocks.entries()) yield* blockEvents(block, index, seed)
  yield {
    type: 'message_delta',
    delta: {
      container: null,
      stop_details: null,
      stop_reason: message.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
      stop_sequence: null,
    },
    usage: {
      input_tokens: usage.input ?? 100,
      output_tokens: usage.output ?? 20,
      cache_read_input_tokens: usage.cacheRead ?? 0,
      cache_creation_input_tokens: usage.cacheWrite ?? 0,
      output_tokens_details: { thinking_tokens: usage.thinking ?? 0 },
      server_tool_use: null,
    },
  }
  yield { type: 'message_stop' }
}

function emptyMessage(model: string, seed: string, { usage = {} }: ScriptedMessage) {
  const first: Usage = {
    cache_creation: null,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
    cache_read_input_tokens: usage.cacheRead ?? 0,
    inference_geo: null,
    input_tokens: usage.input ?? 100,
    output_tokens: 1,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  }
  return {
    id: `msg_${seed}`,
    type: 'message' as const,
    role: 'assistant' as const,
    model,
    container: null,
    content: [],
    diagnostics: null,
    stop_details: null,
    stop_reason: null,
    stop_sequence: null,
    usage: first,
  }
}

function* blockEvents(block: ScriptedBlock, index: number, seed: string): Generator<RawMessageStreamEvent> {
  switch (block.kind) {
    case 'text':
      yield { type: 'content_block_start', index, content_block: { type: 'text', text: '', citations: null } }
      for (const text of wordsOf(block.text)) yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }
      break
    case 'thinking':
      yield { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } }
      for (const thinking of wordsOf(block.text)) yield { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking } }
      yield { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: block.signature } }
      break
    case 'redacted':
      yield { type: 'content_block_start', index, content_block: { type: 'redacted_thinking', data: block.data } }
      break
    case 'call': {
      const id = block.id ?? `toolu_${seed}_${index}`
      const caller = { type: 'direct' as const }
      yield { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: block.name, input: {}, caller } }
      for (const partial_json of ['', ...slicesOf(block.args, 48)])
        yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }
      break
    }
    default:
      assertNever(block, 'scripted block')
  }
  yield { type: 'content_block_stop', index }
}
