import type { StopReason } from '../../../shared/session/events.ts'

/**
 * The finish reasons that servers send for a normal end, in lower case with `_`. Some servers send `stop` with calls, or `tool_calls`
 * without calls.
 */
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

/** The stop reason for a finish reason of Chat Completions or a compatible server. `reason` is null if the answer ended without one. */
export function chatEnd(reason: string | null, hasCalls: boolean): StopReason {
  // Without a finish reason, text alone counts as complete, but calls may have been cut off.
  if (reason === null) return hasCalls ? 'other' : 'stop'
  const word = reason.toLowerCase().replaceAll('-', '_')
  if (NATURAL.has(word)) return hasCalls ? 'tool_calls' : 'stop'
  if (LENGTH.has(word)) return 'length'
  if (FILTER.has(word)) return 'content_filter'
  return word === 'error' || word === 'network_error' ? 'error' : 'other'
}
