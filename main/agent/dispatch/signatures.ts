import { UNSAVED } from '../../../shared/session/fold/run-state.ts'
import { listedNames } from '../../../shared/lib/short-count.ts'
import { Buffer } from 'node:buffer'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { ApprovalId, newId } from '../../../shared/lib/ids.ts'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { Effect, ExecutedFile, WriteEffect } from '../../../shared/session/effects.ts'
import type { DurableEvent, Signer, Trouble } from '../../../shared/session/events.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { Verdict } from '../ports/policy.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { createSlices } from '../event-loop-slices.ts'
import type { DispatchParts } from './dispatch-parts.ts'
import type { RoundCall, Step } from './prepare.ts'

/**
 * Updates the open requests to match the preparations, in one transaction: adds missing requests, withdraws requests whose step has
 * changed, and leaves the others unchanged. A signature counts only for the exact step it was given for. Returns the new requests.
 */
export function askForSignatures(record: SessionRecord, calls: readonly RoundCall[], parts: ReasonParts): readonly AskedRequest[] {
  // A call that has just ended may still have an open request.
  const pending = calls.filter((call) => !call.isOver || record.call(call.part.toolCallId)?.status === 'waiting')
  if (!pending.some((call) => requestFor(record, call, parts).length > 0)) return []
  let asked: readonly AskedRequest[] = []
  record.transact(() => {
    const events = pending.flatMap((call) => requestFor(record, call, parts))
    asked = events.filter((event) => event.kind === 'APPROVAL_REQUESTED')
    return events
  })
  return asked
}

type AskedRequest = Extract<DurableEvent, { kind: 'APPROVAL_REQUESTED' }>

type ReasonParts = Pick<DispatchParts, 'changeSince'>

function requestFor(record: SessionRecord, { part, preparation }: RoundCall, parts: ReasonParts): readonly DurableEvent[] {
  const { toolCallId, toolName } = part
  const item = record.call(toolCallId)
  const asked = preparation?.kind === 'step' && preparation.verdict.kind === 'ask' ? preparation : null
  const isOpen = item?.status === 'waiting' || item?.status === 'signed'
  // The call is already running and sends its own request.
  if (item?.status === 'waiting' && item.startedAt !== null) return []
  // A refusal ends the call, even if its step has changed since.
  if (item?.status === 'refused' || (asked && isOpen && item.approval && covers(item.approval.hash, asked.hash))) return []
  const events: DurableEvent[] = []
  if (item?.status === 'waiting' && item.approval) {
    const { approvalId } = item.approval
    events.push({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer: { kind: 'withdrawn', why: 'superseded' } })
  }
  if (asked?.verdict.kind === 'ask') {
    const { effects, hash, verdict } = asked
    const reason = [reapprovalReason(item, effects, record, parts), verdict.reason].filter((text) => text !== null).join(' ')
    const approvalId = ApprovalId.parse(newId('ap'))
    const { destructive } = verdict
    events.push({ kind: 'APPROVAL_REQUESTED', approvalId, toolCallId, toolName, effects, hash, reason, destructive })
  }
  return events
}

/** Why a call needs a second request: the first request no longer describes its step. Null if there was no first request. */
function reapprovalReason(
  item: CallItem | null,
  effects: readonly Effect[],
  { sessionId }: SessionRecord,
  { changeSince }: ReasonParts,
): string | null {
  if (!item?.approval || (item.status !== 'waiting' && item.status !== 'signed')) return null
  const { approvalId } = item.approval
  const before = workingFolderOf(item.effects)
  const now = workingFolderOf(effects)
  const moved = before !== null && now !== null && before !== now
  const files = moved ? [] : filesChangedSince(item.effects, effects)
  const names = files.map(({ shown }) => shown)
  const change = moved
    ? `it would now run in ${now}, not in ${before}`
    : `${names.length > 0 ? listedNames(names, MAX_NAMED) : 'what it would do'} ${files.length > 1 ? 'have' : 'has'} changed since`
  const who = files.slice(0, MAX_NAMED).flatMap(({ path, shown, hash }) => {
    const last = changeSince?.(approvalId, path)
    // An editor may have changed the file after the session did.
    if (!last || last.after !== hash) return []
    const whose = last.sessionId === sessionId ? 'this session' : `the session “${last.title}”`
    return [`${last.step === null ? 'An undo' : `Step ${last.step}`} of ${whose} changed ${shown}.`]
  })
  return [`${item.status === 'signed' ? 'Signed before, but' : 'Asked again:'} ${change}.`, ...who].join(' ')
}

/** The files that the command executes now and whose content differs from that at the first request. */
function filesChangedSince(before: readonly Effect[], now: readonly Effect[]): readonly ExecutedFile[] {
  const old = new Map(executedIn(before).map((file) => [file.path, file]))
  if (old.size === 0 || sandboxOf(before) !== sandboxOf(now)) return []
  const current = executedIn(now)
  const isCurrent = ({ path }: ExecutedFile): boolean => current.some((file) => file.path === path)
  const removed = [...old.values()].filter((file) => !isCurrent(file))
  return [...current.filter(({ path, hash }) => old.get(path)?.hash !== hash), ...removed]
}

const sandboxOf = (effects: readonly Effect[]) => effects.find((effect) => effect.kind === 'command')?.sandbox

const executedIn = (effects: readonly Effect[]): readonly ExecutedFile[] =>
  effects.flatMap((effect) => (effect.kind === 'command' ? (effect.executes ?? []) : []))

/** Maximum number of files that a reason names. */
const MAX_NAMED = 3

function workingFolderOf(effects: readonly Effect[]): string | null {
  return effects.find((effect) => effect.kind === 'command')?.cwd ?? null
}

export interface Signed {
  readonly kind: 'signed'
  readonly by: Signer
  /** What the user signed in place of the step. Null if the user signed the step unchanged. */
  readonly amended: Amended | null
  /** What the user said with the signature. */
  readonly reply: SignatureReply | null
  /** The hash of the request that was signed. Null if a mode or a rule allowed the step. */
  readonly hash: string | null
}
export interface Refused {
  readonly kind: 'refused'
  readonly note: string | null
  readonly by: 'person' | 'flag'
}
/** The wait for this request is over, because the mode was changed or another request replaced it. */
export interface Superseded {
  readonly kind: 'superseded'
}

/** Waits until the step is signed or refused, in this process or in another one. Rejects with the signal's reason. */
export async function signatureFor(
  record: SessionRecord,
  call: RoundCall,
  { verdict }: Step,
  signal: AbortSignal,
): Promise<Signed | Refused | Superseded> {
  if (verdict.kind === 'allow') return { kind: 'signed', by: verdict.by, amended: null, reply: null, hash: null }
  return record.until(() => {
    const found = answerTo(record.call(call.part.toolCallId))
    return found === null && record.state().config.mode !== call.mode ? ({ kind: 'superseded' } as const) : found
  }, signal)
}

/** Null if there is no answer yet. */
function answerTo(item: CallItem | null): Signed | Refused | Superseded | null {
  if (!item?.approval) return { kind: 'superseded' }
  const { answer, hash } = item.approval
  switch (answer?.kind) {
    case undefined:
      return null
    case 'signed': {
      const { amended = null, reply = null } = answer
      // Default answers are not a user's signature.
      const by: Signer = reply?.kind === 'answers' && reply.byDefault ? { kind: 'rule', rule: 'defaults' } : { kind: 'person' }
      return { kind: 'signed', by, amended, reply, hash }
    }
    case 'refused':
      return answer
    case 'withdrawn':
      return { kind: 'superseded' }
    default:
      return assertNever(answer, 'answer')
  }
}

/** What the model reads about a refusal. */
export function refusalText({ note, by }: Refused, effects: readonly Effect[]): string {
  const noCopy = effects.flatMap((effect) => (effect.kind === 'command' && effect.noCopy !== undefined ? [effect.noCopy] : []))
  const asked = noCopy.length === 0 ? '' : ` It could not run in a copy: ${noCopy.join(' ')}`
  if (note !== null && by === 'person' && effects.some((effect) => effect.kind === 'mode'))
    return `The developer sends the plan back: ${note}\nRevise it, and present it again.`
  if (effects.some(({ kind }) => kind === 'review'))
    return `The developer has not agreed to continue yet, and the list is unchanged.${note ? ` They say: ${note}` : ' Ask what should change.'}`
  if (by === 'flag') return `Denied: nobody can be asked in this run. Nothing was executed.${asked}${note ? ` ${note}` : ''}`
  return `The user denied this call; nothing was executed.${asked}${note ? ` The user says: ${note}` : ''}`
}

/**
 * What the model reads if the user refused to run a command for real after it had run in its copy. `reason`: why it failed there. Null if the
 * user wanted to be asked about running it for real instead.
 */
export function refusedAfterCopy({ note, by }: Refused, reason: string | null): string {
  const said = note ? ` The user says: ${note}` : ''
  const who = by === 'flag' ? 'nobody can be asked in this run' : 'the user denied it'
  const inCopy =
    reason === null
      ? 'The command ran only in a copy, and nothing was applied.'
      : `The command failed in a copy, where nothing is kept: ${reason}`
  return `${inCopy} The command did not run for real, because ${who}.${said}`
}

/** What the model reads if the user refused the changes that a command made in its copy. */
export function refusedChanges({ note, by }: Refused): string {
  const said = note ? ` The user says: ${note}` : ''
  if (by === 'flag') return `Its changes were not applied: nobody can be asked in this run.${said}`
  return `The user refused its changes, and nothing was applied.${said}`
}

export function judgedWhileUnsaved(verdict: Verdict, trouble: Trouble | null): Verdict {
  if (!trouble || verdict.kind === 'deny') return verdict
  const reason = `${trouble.what} This step would run without being saved in the history.`
  return verdict.kind === 'ask' ? { ...verdict, reason: `${verdict.reason} ${reason}` } : { kind: 'ask', reason, destructive: false }
}

export function hashWhileUnsaved(hash: string, trouble: Trouble | null): string {
  return trouble ? `${hash}${UNSAVED}` : hash
}

export function isForUnsaved(hash: string): boolean {
  return hash.endsWith(UNSAVED)
}

/**
 * Whether a signature for the hash `signed` also counts for `asked`: the step is the same, and if the log cannot be stored now, the user
 * knew that when signing.
 */
export function covers(signed: string, asked: string): boolean {
  return signed === asked || signed === `${asked}${UNSAVED}`
}

/** Part of every marker that replaces a hidden secret. */
const IN_MARKER = 'hidden by Countersign: '

/**
 * Denies a write that would replace a secret in a file with its marker, because the model has only seen the marker. Null if there is no
 * such write.
 */
export async function denialOfLostSecret(effects: readonly Effect[], parts: SecretParts): Promise<Verdict | null> {
  const slice = createSlices()
  for (const effect of effects) {
    if (effect.kind === 'write' && (await losesSecret(effect, effects, parts))) return denialOf(effect)
    await slice()
  }
  return null
}

interface SecretParts {
  readonly blobs: Pick<BlobStore, 'getInSlices'>
  readonly redactor: Redactor
}

async function losesSecret(effect: WriteEffect, effects: readonly Effect[], { blobs, redactor }: SecretParts): Promise<boolean> {
  const { buffer, byteOffset, byteLength } = await blobs.getInSlices(effect.after)
  const after = Buffer.from(buffer, byteOffset, byteLength)
  if (!after.includes(IN_MARKER)) return false
  const hash = hashBefore(effect, effects)
  const before = hash === null ? '' : Buffer.from(await blobs.getInSlices(hash)).toString()
  return redactor.losesSecret(before, after.toString())
}

function denialOf(lost: WriteEffect): Verdict {
  const reason = `${lost.shown} contains a key that tools show as "[${IN_MARKER}…]", and the new text has that marker in place of the key, so the key would be lost.`
  return { kind: 'deny', reason, advice: 'Make a smaller edit that leaves the line with the key unchanged.' }
}

/** A moved file is compared with its content at the old path. */
function hashBefore({ before, movedFrom }: WriteEffect, effects: readonly Effect[]): WriteEffect['before'] {
  if (before !== null || !movedFrom) return before
  const source = effects.find((effect) => effect.kind === 'delete' && effect.path === movedFrom.path)
  return source?.kind === 'delete' ? source.before : null
}
