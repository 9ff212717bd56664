import type { StopReason } from '../../../shared/session/events.ts'

/** What servers call a natural end, in lower case with `_`. They say `stop` to calls, and `tool_calls` where there is none. */
const NATURAL: ReadonlySet<string> = new Set([
  'stop',
  'stop_sequence',
  'end',
  'end_turn',
  'eos',
  'eos_token',
  'complete',
  'completed',
  'tool_call',
  'tool_calls',
  'tool_use',
  'function_call',
])
const LENGTH: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'max_completion_tokens',
  'model_length',
  'model_context_window_exceeded',
])
const FILTER: ReadonlySet<string> = new Set([
  'content_filter',
  'refusal',
  'sensitive',
  'safety',
  'recitation',
  'blocklist',
  'prohibited_content',
  'spii',
])

/** What a reason of Chat Completions, or of the many that imitate it, says; null: none was given, and the answer is over all the same. */
export function chatEnd(reason: string | null, hasCalls: boolean): StopReason {
  // Nothing comes after the text; whether the model had come to the end of its calls is not said.
  if (reason === null) return hasCalls ? 'other' : 'stop'
  const word = reason.toLowerCase().replaceAll('-', '_')
  if (NATURAL.has(word)) return hasCalls ? 'tool_calls' : 'stop'
  if (LENGTH.has(word)) return 'length'
  if (FILTER.has(word)) return 'content_filter'
  return word === 'error' ? 'error' : 'other'
}
