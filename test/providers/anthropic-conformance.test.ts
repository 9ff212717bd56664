import { anthropicFrames } from '../../main/providers/rehearsal/anthropic-frames.ts'
import { createAnthropic } from '../../main/providers/anthropic/anthropic.ts'
import { providerConformance } from '../conformance/provider.ts'
import { namedFrame } from './support/frames.ts'

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

providerConformance({
  name: 'anthropic',
  model: 'claude-sonnet-5-5',
  open: ({ url, key, clock, limits }) =>
    createAnthropic({ id: 'anthropic', label: 'Anthropic', baseUrl: url, key: () => Promise.resolve(key), clock, limits }),
  frames: (answer) => anthropicFrames(answer, 'claude-sonnet-5-5', '1'),
  overloadedFrame: namedFrame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  unknownFrame: namedFrame({ type: 'weather_report' }),
  pingFrame: namedFrame({ type: 'ping' }),
  twoWords: 4,
  terminalFrame: -1,
  rawArguments: true,
  needsKey: true,
  opaque: ['c2lnbmF0dXJl', 'cmVkYWN0ZWQ='],
  thinkingPart: (text, signature) => ({ kind: 'thinking', text, signature }),
  errorType: (status) => TYPES[status] ?? 'invalid_request_error',
})
