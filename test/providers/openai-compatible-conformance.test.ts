import { createOpenAiCompatible } from '../../main/providers/openai-compatible/openai-compatible.ts'
import { chatFrames } from '../support/wire-formats/chat-frames.ts'
import { providerConformance } from '../conformance/provider.ts'
import { dataFrame } from './support/frames.ts'

const MODEL = 'qwen3-coder'

const TYPES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  404: 'model_not_found',
  413: 'exceed_context_size_error',
  429: 'rate_limit_exceeded',
  500: 'server_error',
  529: 'server_is_overloaded',
}

providerConformance({
  name: 'openai-compatible',
  model: MODEL,
  open: ({ url, key, clock, limits }) =>
    createOpenAiCompatible({ label: 'The server', baseUrl: `${url}/v1`, key: () => Promise.resolve(key), clock, limits }),
  frames: (answer) => chatFrames(answer, MODEL, '1'),
  overloadedFrame: dataFrame({ error: { code: 'server_is_overloaded', message: 'Overloaded' } }),
  unknownFrame: dataFrame({ object: 'weather.report' }),
  pingFrame: ': OPENROUTER PROCESSING\n\n',
  errorType: (status) => TYPES[status] ?? 'invalid_request_error',
  twoWords: 3,
  terminalFrame: -3,
  rawArguments: true,
  needsKey: false,
  opaque: ['Hm-hm.', 'cmVkYWN0ZWQ='],
  thinkingPart: (text) => ({ kind: 'thinking', text, signature: 'reasoning_content' }),
})
