import { createOpenAi } from '../../main/providers/openai/openai.ts'
import { responsesFrames } from '../support/wire-formats/responses-frames.ts'
import { providerConformance } from '../conformance/provider.ts'
import { namedFrame } from './support/frames.ts'

const MODEL = 'gpt-5.5'

const TYPES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'billing_hard_limit_reached',
  404: 'model_not_found',
  413: 'context_length_exceeded',
  429: 'rate_limit_exceeded',
  500: 'server_error',
  529: 'server_is_overloaded',
}

providerConformance({
  name: 'openai',
  model: MODEL,
  open: ({ url, key, clock, limits }) =>
    createOpenAi({ label: 'OpenAI', baseUrl: `${url}/v1`, key: () => Promise.resolve(key), clock, limits }),
  frames: (answer) => responsesFrames(answer, MODEL, '1'),
  overloadedFrame: namedFrame({ type: 'error', code: 'server_is_overloaded', message: 'Overloaded', param: null }),
  unknownFrame: namedFrame({ type: 'response.weather.report' }),
  pingFrame: ': ping\n\n',
  errorType: (status) => TYPES[status] ?? 'invalid_request_error',
  twoWords: 5,
  terminalFrame: -1,
  rawArguments: true,
  needsKey: true,
  opaque: ['c2lnbmF0dXJl', 'cmVkYWN0ZWQ='],
  thinkingPart: (text, signature) => ({
    kind: 'thinking',
    text,
    signature: null,
    item: { id: 'rs_1_0', type: 'reasoning', summary: [{ type: 'summary_text', text }], encrypted_content: signature },
  }),
})
