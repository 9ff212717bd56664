import { assertNever } from '../../lib/assert-never.ts'
import { shortCount } from '../../lib/short-count.ts'
import type { Draft } from './fold-call.ts'
import type { Answering, DurableEvent, Trouble } from '../events.ts'
import type { CompactionReceipt } from '../conversation-move.ts'
import type { UnreadFile } from '../file-change.ts'
import { limitTrouble } from '../limit-trouble.ts'
import type { HookRun } from '../hooks.ts'
import type { WithdrawnFor } from '../settings/where.ts'
import { withdrawal } from './withdrawal.ts'

export type NoticeEvent = Extract<
  DurableEvent,
  { kind: 'ERROR' | 'WARNING' | 'TURN_LIMIT' | 'COMPACTED' | 'COMPACTION_UNDONE' | 'HOOK_RAN' }
>

/** Applies events that inform the user. Each becomes an entry of the ledger. */
export function foldNotice(draft: Draft, event: NoticeEvent, entry: { readonly id: string; readonly at: number }): void {
  const notice = (level: 'info' | 'error', trouble: Trouble): void => void draft.items.push({ kind: 'notice', ...entry, level, trouble })
  switch (event.kind) {
    case 'ERROR':
      draft.live = null
      return notice('error', event.error)
    case 'WARNING':
      if (event.trouble.code === FAILED_COMMAND) draft.failedCommand = { seq: draft.cursor, words: event.trouble.what.replace(/\.$/u, '') }
      return notice('info', event.trouble)
    case 'TURN_LIMIT':
      draft.items.push({
        kind: 'notice',
        ...entry,
        level: 'info',
        trouble: limitTrouble(event),
        limit: { reason: event.reason, limit: event.limit },
      })
      return
    case 'HOOK_RAN': {
      const trouble = hookNotice(event)
      return trouble ? notice('info', trouble) : undefined
    }
    case 'COMPACTED': {
      const { why, dropped, pinned, tokensBefore, tokensAfter } = event
      draft.live = null
      draft.context = tokensAfter
      draft.wholeWanted = false
      draft.compactions = [...draft.compactions, { why, dropped, pinned, tokensBefore, tokensAfter }]
      return notice('info', compacted(event))
    }
    case 'COMPACTION_UNDONE':
      draft.context = draft.compactions.at(-1)?.tokensBefore ?? draft.context
      draft.compactions = draft.compactions.slice(0, -1)
      draft.wholeWanted = true
      return notice('info', COMPACTION_UNDONE)
    default:
      assertNever(event, 'notice')
  }
}

/** Code of the entry for a background command that has failed. */
export const FAILED_COMMAND = 'background_failed'

/** Code of the entry for a stopped turn. */
export const STOPPED = 'stopped'

/**
 * Adds an entry for a stopped turn, unless its last entry is an error that already explains the end. `withdrawn`: why its request was
 * withdrawn.
 */
export function foldStop(draft: Draft, entry: { readonly id: string; readonly at: number }, withdrawn: WithdrawnFor | undefined): void {
  const last = draft.items.at(-1)
  if (last?.kind === 'notice' && last.level === 'error') return
  draft.items.push({ kind: 'notice', ...entry, level: 'info', trouble: withdrawn ? withdrawal(withdrawn) : TURN_STOPPED })
}

const TURN_STOPPED: Trouble = {
  code: STOPPED,
  what: 'The turn was stopped.',
  kept: 'Everything up to here is kept. Nothing more was done.',
  todo: 'Resume, or send a message.',
}

/** Reports changes that could not be recorded with the step itself. Without this entry, the list of changes would look complete. */
export function foldUnread(draft: Draft, unread: readonly UnreadFile[], entry: { readonly id: string; readonly at: number }): void {
  if (unread.length === 0) return
  const facts = unread.map(({ shown, why }) => `${shown} (${why.replace(/\.$/u, '')})`)
  const what = `The step’s changes to ${facts.join(', ')} could not be recorded.`
  draft.items.push({ kind: 'notice', ...entry, level: 'info', trouble: { code: 'not_captured', what, ...AFTER_UNREAD } })
}

const AFTER_UNREAD = {
  kept: 'The file is as the step left it. Its content from before the step is kept.',
  todo: 'Look at the file itself. This change cannot be shown or undone here.',
}

/** The entry with the receipt of a compaction. */
function compacted({ dropped, pinned, tokensBefore, tokensAfter }: CompactionReceipt): Trouble {
  const yours = pinned === 0 ? '' : ` and ${pinned === 1 ? '1 older one' : `${pinned} older ones`} of yours`
  return {
    code: 'compacted',
    what: `Compacted for the model: about ${shortCount(tokensBefore)} tokens became ${shortCount(tokensAfter)}. A summary replaces ${dropped === 1 ? '1 older message' : `the ${dropped} oldest messages`}.`,
    kept: `The newest messages${yours} are kept word for word. You still see the whole ledger.`,
    todo: 'No action needed. You can undo the compaction.',
  }
}

const COMPACTION_UNDONE: Trouble = {
  code: 'compaction_undone',
  what: 'The compaction was undone.',
  kept: 'The model gets the whole conversation again.',
  todo: 'No action needed. The conversation is compacted again only when the context window is full or the service refuses it as too long.',
}

/** Code of the entry of a hook. The entry's `kept` contains the command, its file and its duration. */
export const HOOK_NOTICE = 'hook_ran'

/** The entry of a hook in the ledger. Null if the hook passed without a message and did not change the arguments. */
function hookNotice({ event, command, source, durationMs, outcome, says, updatedInput }: HookRun): Trouble | null {
  if (outcome === 'passed' && says === '' && updatedInput === undefined) return null
  const did = updatedInput === undefined ? HOOK_OUTCOMES[outcome] : `${HOOK_OUTCOMES[outcome]} and changed the arguments`
  return {
    code: HOOK_NOTICE,
    what: `${event} hook ${did}${says === '' ? '.' : `: ${says}`}`,
    kept: `${command} (${source}, ${durationMs} ms)`,
    todo: 'All hooks are listed in Settings > Hooks.',
  }
}

const HOOK_OUTCOMES = {
  passed: 'ran',
  allowed: 'allowed this',
  asked: 'asks you to decide',
  blocked: 'blocked this',
  failed: 'failed',
} as const

/** Code of the entry for a change of model, provider or effort. */
export const CONFIGURED = 'configured'

/** What changed, as an entry of the ledger. */
export function modelChangeNotice(before: Answering, now: Answering & { readonly forTurn?: { readonly command: string } }): Trouble {
  const command = now.forTurn?.command
  const changes = [
    change('provider', before.provider, now.provider),
    change('model', before.model, now.model),
    change('effort', before.effort ?? 'default', now.effort ?? 'default'),
  ].filter((words) => words !== null)
  return {
    code: CONFIGURED,
    what: `${command === undefined ? 'Changed' : `Changed for this turn by /${command}:`} ${changes.join(', ')}.`,
    kept: 'The conversation is unchanged.',
    todo: 'No action needed.',
  }
}

function change(name: string, before: string, now: string): string | null {
  return before === now ? null : `${name} ${before || 'none'} \u2192 ${now || 'none'}`
}
