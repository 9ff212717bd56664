import { createGemini } from '../../main/providers/gemini/gemini.ts'
import { geminiFrames } from '../support/wire-formats/gemini-frames.ts'
import { providerConformance } from '../conformance/provider.ts'
import { dataFrame } from './support/frames.ts'

const MODEL = 'gemini-3.8-flash'

const TYPES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'INTERNAL',
  529: 'UNAVAILABLE',
}

providerConformance({
  name: 'gemini',
  model: MODEL,
  open: ({ url, key, clock, limits }) => createGemini({ label: 'Gemini', baseUrl: url, key: () => Promise.resolve(key), clock, limits }),
  frames: (answer) => geminiFrames(answer, MODEL, '1'),
  overloadedFrame: dataFrame({ error: { code: 503, status: 'UNAVAILABLE', message: 'Overloaded' } }),
  unknownFrame: dataFrame({ weatherReport: {} }),
  pingFrame: ': ping\n\n',
  errorType: (status) => TYPES[status] ?? 'INVALID_ARGUMENT',
  twoWords: 2,
  terminalFrame: -1,
  rawArguments: false,
  needsKey: true,
  opaque: ['c2lnbmF0dXJl', 'cmVkYWN0ZWQ='],
  thinkingPart: (text, signature) => ({ kind: 'thinking', text, signature }),
})
