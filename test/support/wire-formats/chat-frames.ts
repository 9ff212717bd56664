import type { StopReason } from '@anthropic-ai/sdk/resources/messages'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { slicesOf, wordsOf, type ScriptedBlock, type ScriptedMessage } from '../../../main/providers/rehearsal/scripted-answer.ts'

/** The frames of a Chat Completions stream for a scripted message, one frame per chunk, with `[DONE]` as the last. */
export function chatFrames(message: ScriptedMessage, model: string, seed: string): readonly string[] {
  const { blocks, usage = {} } = message
  const of = { id: `chatcmpl-${seed}`, object: 'chat.completion.chunk', model }
  const calls = blocks.filter(({ kind }) => kind === 'call')
  const deltas = [{ role: 'assistant', content: '' }, ...blocks.flatMap((block) => deltasOf(block, calls.indexOf(block), seed))]
  const chunk = (delta: object, finish_reason: string | null) => ({ ...of, choices: [{ index: 0, delta, finish_reason }], usage: null })
  const { input = 100, output = 20, cacheRead = 0, cacheWrite = 0, thinking = 0 } = usage
  const counted = {
    prompt_tokens: input + cacheRead + cacheWrite,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + cacheRead + cacheWrite + output,
  }
  return [
    ...deltas.map((delta) => chatFrame(chunk(delta, null))),
    chatFrame(chunk({}, finishReason(message.stopReason, calls.length > 0))),
    chatFrame({ ...of, choices: [], usage: counted }),
    'data: [DONE]\n\n',
  ]
}

function chatFrame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

function finishReason(reason: StopReason | undefined, calls: boolean): string {
  if (reason === 'max_tokens') return 'length'
  if (reason === 'refusal') return 'content_filter'
  return calls ? 'tool_calls' : 'stop'
}

function deltasOf(block: ScriptedBlock, index: number, seed: string): readonly object[] {
  switch (block.kind) {
    case 'text':
      return wordsOf(block.text).map((content) => ({ content }))
    case 'thinking':
      return wordsOf(block.text).map((text) => ({ reasoning_content: text }))
    case 'redacted':
      return [{ reasoning_details: [{ type: 'reasoning.encrypted', data: block.data, index: 0 }] }]
    case 'call': {
      const id = block.id ?? `call_${seed}_${index}`
      const first = { index, id, type: 'function', function: { name: block.name, arguments: '' } }
      const rest = slicesOf(block.args, 48).map((args) => ({ index, function: { arguments: args } }))
      return [first, ...rest].map((piece) => ({ tool_calls: [piece] }))
    }
    default:
      return assertNever(block, 'scripted block')
  }
}
