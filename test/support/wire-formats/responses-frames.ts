import type { StopReason } from '@anthropic-ai/sdk/resources/messages'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { slicesOf, wordsOf, type ScriptedBlock, type ScriptedMessage } from '../../../main/providers/rehearsal/scripted-answer.ts'

type Event = { readonly type: string; readonly [name: string]: unknown }

/** The frames of OpenAI's Responses stream for a scripted message, one frame per event. */
export function responsesFrames(message: ScriptedMessage, model: string, seed: string): readonly string[] {
  return [...responsesEvents(message, model, seed)].map((event, index) => responsesFrame({ ...event, sequence_number: index }))
}

function responsesFrame(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function* responsesEvents(message: ScriptedMessage, model: string, seed: string): Generator<Event> {
  const response = { id: `resp_${seed}`, object: 'response', model, status: 'in_progress', output: [] }
  yield { type: 'response.created', response }
  yield { type: 'response.in_progress', response }
  const output = message.blocks.map((block, index) => itemOf(block, `${seed}_${index}`))
  for (const [index, block] of message.blocks.entries()) yield* itemEvents(block, index, `${seed}_${index}`)
  const incomplete = incompleteReason(message.stopReason)
  const end = incomplete
    ? { status: 'incomplete', incomplete_details: { reason: incomplete } }
    : { status: 'completed', incomplete_details: null }
  yield {
    type: incomplete ? 'response.incomplete' : 'response.completed',
    response: { ...response, ...end, output, usage: usageOf(message) },
  }
}

function usageOf({ usage = {} }: ScriptedMessage) {
  const { input = 100, output = 20, cacheRead = 0, cacheWrite = 0, thinking = 0 } = usage
  return {
    input_tokens: input + cacheRead + cacheWrite,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + cacheRead + cacheWrite + output,
  }
}

function incompleteReason(reason: StopReason | undefined): string | null {
  if (reason === 'max_tokens') return 'max_output_tokens'
  return reason === 'refusal' ? 'content_filter' : null
}

function itemOf(block: ScriptedBlock, id: string): { readonly type: string; readonly [name: string]: unknown } {
  switch (block.kind) {
    case 'text':
      return {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: block.text, annotations: [] }],
      }
    case 'thinking':
      return {
        id: `rs_${id}`,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: block.text }],
        encrypted_content: block.signature,
      }
    case 'redacted':
      return { id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: block.data }
    case 'call':
      return {
        id: `fc_${id}`,
        type: 'function_call',
        call_id: block.id ?? `call_${id}`,
        name: block.name,
        arguments: block.args,
        status: 'completed',
      }
    default:
      return assertNever(block, 'scripted block')
  }
}

function* itemEvents(block: ScriptedBlock, output_index: number, id: string): Generator<Event> {
  const item = itemOf(block, id)
  const begun = { ...item, ...(block.kind === 'text' && { content: [] }), ...(block.kind === 'call' && { arguments: '' }) }
  yield { type: 'response.output_item.added', output_index, item: block.kind === 'thinking' ? { ...begun, summary: [] } : begun }
  const of = { item_id: item['id'], output_index }
  switch (block.kind) {
    case 'text':
      for (const delta of wordsOf(block.text)) yield { type: 'response.output_text.delta', ...of, content_index: 0, delta }
      yield { type: 'response.output_text.done', ...of, content_index: 0, text: block.text }
      break
    case 'thinking':
      for (const delta of wordsOf(block.text)) yield { type: 'response.reasoning_summary_text.delta', ...of, summary_index: 0, delta }
      break
    case 'redacted':
      break
    case 'call':
      for (const delta of slicesOf(block.args, 48)) yield { type: 'response.function_call_arguments.delta', ...of, delta }
      yield { type: 'response.function_call_arguments.done', ...of, arguments: block.args }
      break
    default:
      assertNever(block, 'scripted block')
  }
  yield { type: 'response.output_item.done', output_index, item }
}
