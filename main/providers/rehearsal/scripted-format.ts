import { anthropicFrames } from './anthropic-frames.ts'
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

/** The format of the rehearsal. The tests have the others (`test/support/wire-formats`). */
export const ANTHROPIC: ScriptedFormat = {
  name: 'anthropic',
  owns: (path) => path.startsWith('/v1/messages'),
  frames: anthropicFrames,
  error: (_, type, words) => ({ type: 'error', error: { type, message: words }, request_id: 'req_test' }),
}

/** The model and the number of turns in a request of any format. */
export function askedFor(path: string, body: Readonly<Record<string, unknown>>): { readonly model: string; readonly turns: number } {
  const turns = body['messages'] ?? body['input'] ?? body['contents']
  const model = body['model'] ?? /models\/([^:]+):/.exec(path)?.[1]
  return { model: typeof model === 'string' ? model : '', turns: Array.isArray(turns) ? turns.length : 0 }
}
