import { assertNever } from '../../shared/lib/assert-never.ts'
import type { CompactionReceipt } from '../../shared/session/conversation-move.ts'
import type { DurableEvent, StopReason, Trouble } from '../../shared/session/events.ts'
import { StorageError } from './storage-error.ts'

/** The troubles that the agent's loop reports. Most of them end the turn. */

export function refusedAgain(toolName: string): Trouble {
  return {
    code: 'refused_repeatedly',
    what: `The agent asked three times for a step that you refused (${toolName}).`,
    kept: 'Everything done so far is kept. The refused step never ran.',
    todo: 'Tell the agent what to do instead.',
  }
}

/** A storage failure, or a bug in Countersign, which is shown instead of hidden. The turn ends and the history stays intact. */
export function unexpected(error: unknown): Trouble {
  if (error instanceof StorageError) return error.trouble
  if (isOutOfHandles(error)) return OUT_OF_HANDLES
  return {
    code: 'internal',
    what: `Countersign itself failed: ${error instanceof Error ? error.message : String(error)}`,
    kept: 'Everything up to here is in the history.',
    todo: 'Resume. If it happens again, please report it.',
  }
}

/** Whether the system reported too many open files, in this process or in the whole system. */
function isOutOfHandles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}

const OUT_OF_HANDLES: Trouble = {
  code: 'too_many_files',
  what: 'The system allows no more open files, so the turn stopped.',
  kept: 'Everything up to here is in the history.',
  todo: 'Close other programs or windows, or raise the limit of open files (ulimit -n), then resume.',
}

/** How a received answer ended. `broken`: the service did not finish the answer. */
export type AnswerEnd =
  | { readonly kind: 'natural' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'broken'; readonly trouble: Trouble; readonly reason: 'limit' | 'error' }

/** Only a natural end counts as success. A refusal, a failure or an unknown end is shown with the service's own word for it. */
export function answerEnd(stopReason: StopReason, endedWith?: string): AnswerEnd {
  switch (stopReason) {
    case 'stop':
    case 'tool_calls':
      return { kind: 'natural' }
    case 'pause':
      return { kind: 'paused' }
    case 'length':
      return { kind: 'broken', reason: 'limit', trouble: ANSWER_LENGTH }
    case 'content_filter':
      return { kind: 'broken', reason: 'error', trouble: CONTENT_FILTER }
    case 'error':
      return { kind: 'broken', reason: 'error', trouble: withWord(ANSWER_ERROR, endedWith) }
    case 'other':
      return { kind: 'broken', reason: 'error', trouble: withWord(ANSWER_UNFINISHED, endedWith) }
    default:
      return assertNever(stopReason, 'stop reason')
  }
}

/** Whether the calls of an answer may run. If an answer was cut off at its length limit, its complete calls may run. */
export function mayRunCalls(stopReason: StopReason): boolean {
  return stopReason === 'stop' || stopReason === 'tool_calls' || stopReason === 'length'
}

/** Without a limit, a service that keeps pausing would never finish. */
export function pausedAgain(times: number): Trouble {
  return {
    code: 'paused_repeatedly',
    what: `The service paused its answer ${times} times in a row without finishing it.`,
    kept: 'The text of the answer is kept.',
    todo: 'Resume, or choose another model.',
  }
}

/** Shown when warnings did not stop a loop. */
export function loopsOn(times: number): Trouble {
  return {
    code: 'looping',
    what: `The agent kept repeating the same steps after ${times} warnings.`,
    kept: 'Everything done so far is kept.',
    todo: 'Tell the agent what to do differently, or resume to let it continue.',
  }
}

/** The stop reason that a service sends if request and answer together filled the context window. */
export const WINDOW_FULL = 'model_context_window_exceeded'

export function windowFull(model: string): Trouble {
  return {
    code: 'context_length',
    what: `The conversation fills the complete context window of ${model}, and no part of it could be summarized.`,
    kept: 'The text of the answer and the conversation are kept.',
    todo: 'Start a new session with only the part of the conversation that matters, or choose a model with a larger context window.',
  }
}

function withWord(trouble: Trouble, word: string | undefined): Trouble {
  return word === undefined || word === '' ? trouble : { ...trouble, what: `${trouble.what.slice(0, -1)} (${word}).` }
}

const ANSWER_LENGTH: Trouble = {
  code: 'answer_length',
  what: 'The answer reached the model’s length limit and was cut off there.',
  kept: 'The text of the answer is kept.',
  todo: 'Resume.',
}

const CONTENT_FILTER: Trouble = {
  code: 'content_filter',
  what: 'The service refused to answer this.',
  kept: 'Your message and everything before it are kept. No step of the answer was run.',
  todo: 'Rephrase the message, or choose another model.',
}

const ANSWER_ERROR: Trouble = {
  code: 'answer_error',
  what: 'The service ended the answer with an error.',
  kept: 'The text of the answer is kept. No step of it was run.',
  todo: 'Resume.',
}

const ANSWER_UNFINISHED: Trouble = {
  code: 'answer_unfinished',
  what: 'The service ended the answer without marking it as complete.',
  kept: 'The text of the answer is kept. No step of it was run.',
  todo: 'Resume.',
}

/** Shown when a hook ends the turn. */
export function stoppedByHook(reason: string): Trouble {
  return {
    code: 'hook_stopped',
    what: `A hook ended the turn: ${reason}`,
    kept: 'The session and everything that was done before are kept.',
    todo: 'Send a message, or look at Settings > Hooks.',
  }
}

const FORBIDDEN_CODE = 'compaction_forbidden'

/** Shown when a hook forbids a compaction, but only once until the user's next message. */
export function compactionForbidden(reason: string, why: CompactionReceipt['why']): Trouble {
  const full = why === 'manual' ? 'A' : 'The context is nearly full, and a'
  return {
    code: FORBIDDEN_CODE,
    what: `${full} hook does not allow the conversation to be compacted: ${reason}`,
    kept: 'The conversation is unchanged.',
    todo: 'Continue while there is room in the context window, or start a new session.',
  }
}

export function isCompactionForbidden(event: DurableEvent): boolean {
  return event.kind === 'WARNING' && event.trouble.code === FORBIDDEN_CODE
}

const NOTHING_CODE = 'nothing_to_compact'

/** Shown when the user asked for a compaction of a conversation that has nothing to summarize. */
export const NOTHING_TO_COMPACT: Trouble = {
  code: NOTHING_CODE,
  what: 'There is nothing to compact yet.',
  kept: 'The conversation is unchanged.',
  todo: 'Continue, and compact when there are older messages that a summary can replace.',
}

export function isNothingToCompact(event: DurableEvent): boolean {
  return event.kind === 'WARNING' && event.trouble.code === NOTHING_CODE
}
