import { anthropicFrames } from './anthropic-frames.ts'
import { chatFrames } from './chat-frames.ts'
import { geminiFrames } from './gemini-frames.ts'
import { responsesFrames } from './responses-frames.ts'
import type { ScriptedMessage, WireName } from './scripted-answer.ts'

/** One vendor's wire format. */
export interface ScriptedFormat {
  readonly name: WireName
  /** Whether requests to `path` use this format. */
  owns(path: string): boolean
  frames(message: ScriptedMessage, model: string, seed: string): readonly string[]
  /** The body of an HTTP error; `type` is the vendor's name for it. */
  error(status: number, type: string, words: string): object
}

const openAiError = (_: number, type: string, words: string): object => ({ error: { message: words, type, param: null, code: type } })

export const FORMATS: readonly ScriptedFormat[] = [
  {
    name: 'anthropic',
    owns: (path) => path.startsWith('/v1/messages'),
    frames: anthropicFrames,
    error: (_, type, words) => ({ type: 'error', error: { type, message: words }, request_id: 'req_test' }),
  },
  { name: 'openai-responses', owns: (path) => path.endsWith('/responses'), frames: responsesFrames, error: openAiError },
  { name: 'openai-chat', owns: (path) => path.endsWith('/chat/completions'), frames: chatFrames, error: openAiError },
  {
    name: 'gemini',
    owns: (path) => path.endsWith(':streamGenerateContent?alt=sse'),
    frames: geminiFrames,
    error: (code, status, message) => ({ error: { code, message, status } }),
  },
]

/** The model and the number of turns in a request of any format. */
export function askedFor(path: string, body: Readonly<Record<string, unknown>>): { readonly model: string; readonly turns: number } {
  const turns = body['messages'] ?? body['input'] ?? body['contents']
  const model = body['model'] ?? /models\/([^:]+):/.exec(path)?.[1]
  return { model: typeof model === 'string' ? model : '', turns: Array.isArray(turns) ? turns.length : 0 }
}
