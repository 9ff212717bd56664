import type { OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { overOpenAiSdk } from '../openai/over-openai-sdk.ts'
import { ChatAnswer } from './chat-answer.ts'
import { chatBody } from './chat-body.ts'

/** Chat Completions, for Ollama, llama.cpp, LM Studio, vLLM, OpenRouter and others. A key is sent only if the server needs one. */
export function createOpenAiCompatible(options: RemoteOptions): OpenProvider {
  const reader = (): ChatAnswer => new ChatAnswer()
  return overOpenAiSdk(options, { id: 'openai-compatible', needsKey: false, path: '/chat/completions', body: chatBody, reader })
}
