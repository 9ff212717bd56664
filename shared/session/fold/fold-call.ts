import { withoutGitRecords } from '../git-change.ts'
import { assertNever } from '../../lib/assert-never.ts'
import { base64Bytes, imagesOf } from '../content.ts'
import type { Effect } from '../effects.ts'
import type { DurableEvent, NoCopy } from '../events.ts'
import type { CallItem, SessionState, Item } from '../state.ts'
import { isInCopy, isSameRequest } from './run-state.ts'
import type { ToolCallId } from '../../lib/ids.ts'

/** The state while a batch is folded. It is a private draft, so the item list is copied only once, however many events there are. */
export type Draft = { -readonly [K in keyof SessionState]: SessionState[K] } & { items: Item[] }

type Of<K extends DurableEvent['kind']> = Extract<DurableEvent, { kind: K }>

export type CallEvent = Of<
  | 'APPROVAL_REQUESTED'
  | 'APPROVAL_ANSWERED'
  | 'COPY_STARTED'
  | 'COPY_ENDED'
  | 'COPY_FAILED'
  | 'TOOL_EXECUTION_START'
  | 'FILES_CHANGED'
  | 'TOOL_CALL_END'
>

/** A new call gets the next step number. A file read directly after another one shares its number ("Read 6 files" is one step). */
export function callItem(draft: Draft, event: Of<'TOOL_CALL_START'>, id: string, at: number): CallItem {
  const step = sharesStep(draft, event.toolName) ? draft.steps : draft.steps + 1
  draft.steps = step
  return {
    kind: 'call',
    id,
    at,
    toolCallId: event.toolCallId,
    step,
    toolName: event.toolName,
    args: event.args,
    status: 'preparing',
    effects: [],
    approval: null,
    signedBy: null,
    files: [],
    startedAt: null,
    endedAt: null,
    durationMs: null,
    output: '',
    outputBlob: null,
    isError: false,
    details: null,
    tail: null,
  }
}

function sharesStep(state: SessionState, toolName: string): boolean {
  const last = state.items.at(-1)
  // Only calls that are shown in the same row share a number.
  return last?.kind === 'call' && toolName === 'read_file' && last.toolName === 'read_file'
}

/** Applies one event of a call to its entry. */
export function foldCall(item: CallItem, event: CallEvent, at: number): CallItem {
  switch (event.kind) {
    case 'APPROVAL_REQUESTED': {
      const { approvalId, hash, reason, destructive, effects } = event
      const isChanged = item.status === 'signed' && item.approval !== null && !isSameRequest(item.approval.hash, hash)
      const asked = { approvalId, hash, reason, destructive, requestedAt: at, answeredAt: null, answer: null }
      const approval = isChanged ? { ...asked, isChanged } : asked
      // This request may come while the call is running, so the call's own effects are kept until the request is answered.
      return { ...item, status: 'waiting', effects, approval, ...(item.startedAt !== null && { runs: item.runs ?? item.effects }) }
    }
    case 'APPROVAL_ANSWERED': {
      if (item.approval?.approvalId !== event.approvalId) return item
      const approval = { ...item.approval, answeredAt: at, answer: event.answer }
      // The request was about a host, and the command continues in its copy.
      if (isInCopy(item)) return { ...item, approval, status: 'running', effects: item.effects.filter(isCommand) }
      if (item.startedAt !== null) {
        const { runs = [], ...call } = item
        return { ...call, approval, status: 'running', effects: runs }
      }
      return {
        ...item,
        approval,
        status: event.answer.kind === 'signed' ? 'signed' : event.answer.kind === 'refused' ? 'refused' : 'preparing',
      }
    }
    case 'COPY_STARTED':
      return { ...item, status: 'running', effects: event.effects, copy: { startedAt: at, endedAt: null, outcome: null } }
    case 'COPY_ENDED': {
      const { kind: _, toolCallId: __, ...outcome } = event
      const startedAt = item.copy?.startedAt ?? at
      return {
        ...item,
        status: 'preparing',
        effects: outcome.effects,
        approval: null,
        tail: null,
        copy: { startedAt, endedAt: at, outcome },
      }
    }
    case 'COPY_FAILED': {
      const { copy: _, ...call } = item
      return {
        ...call,
        status: 'preparing',
        effects: item.effects.filter(isCommand),
        noCopy: noCopyOf(event),
        tail: null,
      }
    }
    case 'TOOL_EXECUTION_START':
      return { ...item, status: 'running', startedAt: at, signedBy: event.signedBy, effects: event.effects }
    case 'FILES_CHANGED': {
      const { madeBy } = event
      // Git's own files are left out here, because the changes of the repository are described in git's terms.
      const inGitTerms = <T extends { readonly shown: string }>(all: readonly T[]): readonly T[] =>
        item.copy?.outcome?.git ? withoutGitRecords(all).others : all
      const files = inGitTerms(event.files)
      const folders = event.folders && [...(item.folders ?? []), ...inGitTerms(event.folders)]
      return { ...item, files: [...item.files, ...files], ...(folders && { folders }), ...(madeBy && { madeBy }) }
    }
    case 'TOOL_CALL_END': {
      const { output, advice, outputBlob, isError, outcome, durationMs, details } = event
      const pictures = imagesOf(event.modelText).map(({ mediaType, data }) => ({ mediaType, bytes: base64Bytes(data) }))
      return {
        ...item,
        status: outcome,
        endedAt: at,
        durationMs,
        output,
        outputBlob,
        isError,
        details,
        tail: null,
        ...(advice !== undefined && { advice }),
        ...(pictures.length > 0 && { pictures }),
      }
    }
    default:
      return assertNever(event, 'call event')
  }
}

function noCopyOf({ reason, mayConfine, isConfined, result }: NoCopy): NoCopy {
  return { reason, mayConfine, ...(isConfined && { isConfined }), ...(result && { result }) }
}

const isCommand = ({ kind }: Effect): boolean => kind === 'command'

/**
 * Returns the call without its copy if the command was still running in the copy when the turn ended. Such a copy no longer exists, and
 * nothing in it was real.
 */
export function withoutUnfinishedCopy(item: CallItem): CallItem {
  if (item.status !== 'running' || !isInCopy(item)) return item
  const { copy: _, ...call } = item
  return { ...call, status: 'preparing', tail: null }
}

/** Searches from the end, because a changed call is almost always new. */
export function findCall(items: readonly Item[], toolCallId: ToolCallId): number {
  return items.findLastIndex((item) => item.kind === 'call' && item.toolCallId === toolCallId)
}
