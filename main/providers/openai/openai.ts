import type { OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { overOpenAiSdk } from './over-openai-sdk.ts'
import { ResponsesAnswer } from './responses-answer.ts'
import { responsesBody } from './responses-body.ts'

/** OpenAI's Responses API. */
export function createOpenAi(options: RemoteOptions): OpenProvider {
  const reader = (): ResponsesAnswer => new ResponsesAnswer()
  return overOpenAiSdk(options, { id: 'openai', needsKey: true, path: '/responses', body: responsesBody, reader })
}
