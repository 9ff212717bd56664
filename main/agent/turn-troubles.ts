import type { StopReason, Trouble } from '../../shared/session/events.ts'
import { StorageError } from './storage-error.ts'

/** What ends a turn from inside, in the three lines that the desk shows. */

export function refusedAgain(toolName: string): Trouble {
  return {
    code: 'refused_repeatedly',
    what: `The agent asked three times for the same step (${toolName}) that you refused.`,
    kept: 'Everything that was done so far; the refused step never ran.',
    todo: 'Tell it what you would like instead.',
  }
}

/** What could not be read back, or a bug of ours, told instead of hidden: the turn ends, the history stays whole. */
export function unexpected(error: unknown): Trouble {
  if (error instanceof StorageError) return error.trouble
  return {
    code: 'internal',
    what: `Something in Countersign itself failed: ${error instanceof Error ? error.message : String(error)}`,
    kept: 'Everything up to here is in the history.',
    todo: 'Resume the turn. If it happens again, please report it.',
  }
}

/** An answer that is whole on the wire but not in itself; null: it is a natural end. */
export function unfinished(stopReason: StopReason): { readonly trouble: Trouble; readonly reason: 'limit' | 'error' } | null {
  switch (stopReason) {
    case 'length':
      return {
        reason: 'limit',
        trouble: {
          code: 'answer_length',
          what: 'The answer reached the longest that the model may write, and stops there.',
          kept: 'What it wrote.',
          todo: 'Send “Go on”.',
        },
      }
    case 'content_filter':
      return {
        reason: 'error',
        trouble: {
          code: 'content_filter',
          what: 'The service refused to answer this.',
          kept: 'Your message and everything before it.',
          todo: 'Say it in other words, or choose another model.',
        },
      }
    case 'error':
      return {
        reason: 'error',
        trouble: {
          code: 'answer_error',
          what: 'The service ended the answer with an error.',
          kept: 'What it wrote.',
          todo: 'Resume the turn.',
        },
      }
    case 'stop':
    case 'tool_calls':
    case 'pause':
    case 'other':
      return null
  }
}
