import { assertNever } from '../lib/assert-never.ts'
import type { Draft } from './draft.ts'
import type { CompactionReceipt, DurableEvent, Trouble } from './events.ts'

export type NoticeEvent = Extract<DurableEvent, { kind: 'ERROR' | 'WARNING' | 'TURN_LIMIT' | 'COMPACTED' | 'COMPACTION_UNDONE' }>

/** Events that tell the person something: each is an entry of the ledger. */
export function foldNotice(draft: Draft, event: NoticeEvent, entry: { readonly id: string; readonly at: number }): void {
  const notice = (level: 'info' | 'error', trouble: Trouble): void => void draft.items.push({ kind: 'notice', ...entry, level, trouble })
  switch (event.kind) {
    case 'ERROR':
      draft.live = null
      return notice('error', event.error)
    case 'WARNING':
      return notice('info', event.trouble)
    case 'TURN_LIMIT':
      return notice('info', limitReached(event))
    case 'COMPACTED': {
      const { why, dropped, pinned, tokensBefore, tokensAfter } = event
      draft.live = null
      draft.context = tokensAfter
      draft.compactions = [...draft.compactions, { why, dropped, pinned, tokensBefore, tokensAfter }]
      return notice('info', compacted(event))
    }
    case 'COMPACTION_UNDONE':
      draft.context = draft.compactions.at(-1)?.tokensBefore ?? draft.context
      draft.compactions = draft.compactions.slice(0, -1)
      return notice('info', COMPACTION_UNDONE)
    default:
      assertNever(event, 'notice')
  }
}

function limitReached(event: Extract<DurableEvent, { kind: 'TURN_LIMIT' }>): Trouble {
  return { code: 'turn_limit', what: limitWords(event), kept: 'Everything that was done so far.', todo: 'Send a message to go on.' }
}

function limitWords({ reason, limit }: Extract<DurableEvent, { kind: 'TURN_LIMIT' }>): string {
  switch (reason) {
    case 'max_tool_rounds':
      return `The limit of ${limit} rounds for one request is reached.`
    case 'max_turns':
      return `The limit of ${limit} answers for one session is reached.`
    case 'tokens':
      return `The budget of ${limit.toLocaleString('en')} tokens is used up.`
    case 'cost':
      return `The budget of $${limit.toFixed(2)} is used up.`
    case 'time':
      return `The time of ${limit} min is used up.`
  }
}

/** The receipt of a compaction (D-17). */
function compacted({ dropped, pinned, kept, tokensBefore, tokensAfter }: CompactionReceipt & { readonly kept: number }): Trouble {
  const about = (tokens: number): string => `${Math.max(1, Math.round(tokens / 1000))}k`
  return {
    code: 'compacted',
    what: `The conversation was compacted for the model: about ${about(tokensBefore)} tokens became ${about(tokensAfter)}. A summary stands for ${dropped} of its turns.`,
    kept: `The newest ${kept} turns and ${pinned} of your messages word for word; for you the whole ledger.`,
    todo: 'Go on, or undo the compaction.',
  }
}

const COMPACTION_UNDONE: Trouble = {
  code: 'compaction_undone',
  what: 'The compaction was undone.',
  kept: 'The model gets the whole conversation again.',
  todo: 'Go on, with a model of a larger context where it does not fit.',
}
