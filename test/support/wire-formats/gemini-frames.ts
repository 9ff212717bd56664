import type { StopReason } from '@anthropic-ai/sdk/resources/messages'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { wordsOf, type ScriptedBlock, type ScriptedMessage } from '../../../main/providers/rehearsal/scripted-answer.ts'

/**
 * The frames of a Gemini stream for a scripted message, one frame per chunk. In this format, a call's arguments are an object: arguments
 * that are not valid JSON become the first piece of incomplete arguments, and empty arguments are left out.
 */
export function geminiFrames(message: ScriptedMessage, model: string, seed: string): readonly string[] {
  const { input = 100, output = 20, cacheRead = 0, cacheWrite = 0, thinking = 0 } = message.usage ?? {}
  const prompt = input + cacheRead + cacheWrite
  const of = { modelVersion: model, responseId: `gem_${seed}` }
  const parts = message.blocks.flatMap((block, index) => partsOf(block, `${seed}_${index}`))
  const chunk = (all: readonly object[], finishReason: string | null, usageMetadata: object) => ({
    candidates: [{ content: { role: 'model', parts: all }, ...(finishReason === null ? {} : { finishReason }), index: 0 }],
    usageMetadata,
    ...of,
  })
  const early = { promptTokenCount: prompt + 7, totalTokenCount: prompt + 7 }
  const last = {
    promptTokenCount: prompt,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - thinking,
    thoughtsTokenCount: thinking,
    totalTokenCount: prompt + output,
  }
  return [
    ...parts.map((part) => geminiFrame(chunk([part], null, early))),
    geminiFrame(chunk([{ text: '' }], finishReason(message.stopReason), last)),
  ]
}

function geminiFrame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`
}

function finishReason(reason: StopReason | undefined): string {
  if (reason === 'max_tokens') return 'MAX_TOKENS'
  return reason === 'refusal' ? 'SAFETY' : 'STOP'
}

function partsOf(block: ScriptedBlock, id: string): readonly object[] {
  switch (block.kind) {
    case 'text':
      return wordsOf(block.text).map((text) => ({ text }))
    case 'thinking':
      return [{ text: block.text, thought: true, thoughtSignature: block.signature }]
    case 'redacted':
      return [{ text: '', thoughtSignature: block.data }]
    case 'call': {
      return [{ functionCall: { id: block.id ?? `call_${id}`, name: block.name, ...argsOf(block.args) } }]
    }
    default:
      return assertNever(block, 'scripted block')
  }
}

function argsOf(text: string): object {
  if (text === '') return {}
  try {
    return { args: JSON.parse(text) as unknown }
  } catch {
    return { partialArgs: [{ jsonPath: '$', stringValue: text }], willContinue: true }
  }
}
