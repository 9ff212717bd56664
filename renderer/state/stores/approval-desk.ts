import { ANSWER_DELAY_MS } from '../../../shared/session/answer-delay.ts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AnswerOutcome } from '../../../shared/api/approvals.ts'
import type { ApprovalId, SessionId } from '../../../shared/lib/ids.ts'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Amendment } from '../../../shared/session/amendment.ts'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { Connection } from './connection.ts'

/**
 * The signing state of one request in this window. `armed` means that the request can be signed. `note` is the reason why an earlier answer
 * did not count. `void` means that no answer can count any more, for the reason in `message`.
 */
export type Signing =
  | { readonly kind: 'unseen'; readonly note: string | null }
  | { readonly kind: 'arming'; readonly note: string | null }
  | { readonly kind: 'armed'; readonly note: string | null }
  | { readonly kind: 'sending'; readonly answer: Answer['kind'] }
  | { readonly kind: 'answered'; readonly answer: Answer['kind']; readonly at: number }
  | { readonly kind: 'void'; readonly message: string }

/**
 * `amendments` are set if the user signs only a part or edits the text. `rules` are made once the signature counts. `reply` is sent to the
 * agent together with the answer.
 */
export type Answer =
  | {
      readonly kind: 'sign'
      readonly amendments?: readonly Amendment[]
      readonly rules?: readonly RuleDraft[]
      readonly reply?: SignatureReply
    }
  | { readonly kind: 'refuse'; readonly note: string | null; readonly later?: readonly Amendment[] }
  /** Drops what a command changed in its copy, and requests approval for the command itself. */
  | { readonly kind: 'run_for_real' }
  /** Requests approval again, this time for running the command confined to the folder. */
  | { readonly kind: 'run_confined' }

export const UNSEEN: Signing = { kind: 'unseen', note: null }

export interface ApprovalDesk {
  readonly store: StoreApi<ReadonlyMap<ApprovalId, Signing>>
  /** Must be called when the complete request is on screen. Arms the request after 300 ms or when main allows it, whichever is later. */
  shown(sessionId: SessionId, approvalId: ApprovalId): Promise<void>
  /** Must be called when the request is no longer completely on screen. Disarms the request. */
  hidden(approvalId: ApprovalId): void
  /**
   * Must be called when another session is shown. Disarms all requests. For the next 700 ms no request is armed, so that a key meant for
   * the previous session cannot sign.
   */
  moved(): void
  /** Answers a request. A signature counts only if the request is armed. A refusal waits until the request is armed. */
  answer(sessionId: SessionId, call: CallItem, answer: Answer): Promise<void>
}

/**
 * The signing state of the requests in this window. The log decides which answers count. `onTrouble` is called for answers that did not
 * count and for rules that were not made.
 */
export function createApprovalDesk(connection: Connection, onTrouble: (trouble: Trouble) => void): ApprovalDesk {
  const store = createStore<ReadonlyMap<ApprovalId, Signing>>(() => new Map())
  const set = (id: ApprovalId, signing: Signing): void => store.setState((all) => new Map(all).set(id, signing), true)
  const now = (id: ApprovalId): Signing => store.getState().get(id) ?? UNSEEN
  // Requests with a waiting refusal. They stay armed even while they are not visible.
  const refusing = new Set<ApprovalId>()
  let movedAt = Number.NEGATIVE_INFINITY

  const arm = async (sessionId: SessionId, id: ApprovalId): Promise<void> => {
    const before = now(id)
    if (before.kind !== 'unseen' || !connection.client) return
    // The object identifies this arming: a later arming is a different object.
    const arming: Signing = { kind: 'arming', note: before.note }
    const shownAt = performance.now()
    set(id, arming)
    try {
      const { armsInMs } = await connection.client.approvals.shown({ sessionId, approvalId: id })
      await pause(Math.max(armsInMs, shownAt + ANSWER_DELAY_MS - performance.now(), movedAt + SETTLE_MS - performance.now()))
      if (now(id) === arming) set(id, { kind: 'armed', note: before.note })
    } catch (error) {
      if (now(id) === arming) set(id, { kind: 'unseen', note: messageOf(error) })
    }
  }
  const disarm = (id: ApprovalId): void => {
    const before = now(id)
    if ((before.kind === 'arming' || before.kind === 'armed') && !refusing.has(id)) set(id, { kind: 'unseen', note: before.note })
  }
  const send = async (sessionId: SessionId, id: ApprovalId, hash: string, answer: Answer): Promise<void> => {
    set(id, { kind: 'sending', answer: answer.kind })
    const outcome = await ask(connection, sessionId, id, hash, answer)
    set(id, settled(outcome, answer))
    const after = now(id)
    if (after.kind === 'void') onTrouble(withoutEffect(after.message))
    const failed = after.kind === 'answered' && answer.kind === 'sign' && answer.rules ? await makeRules(connection, answer.rules) : null
    if (failed) onTrouble(failed)
    // The main process may have been restarted since `shown`, so the request is reported again.
    if (after.kind === 'unseen') await arm(sessionId, id)
  }
  return {
    store,
    shown: arm,
    hidden: disarm,
    moved() {
      movedAt = performance.now()
      for (const id of store.getState().keys()) disarm(id)
    },
    async answer(sessionId, call, answer) {
      const { approval } = call
      if (!approval) return
      const id = approval.approvalId
      if (!connection.client) return set(id, { kind: 'unseen', note: NOT_CONNECTED })
      if (answer.kind === 'refuse') {
        refusing.add(id)
        await arm(sessionId, id)
        while (now(id).kind === 'arming') await changed(store)
        refusing.delete(id)
      }
      if (now(id).kind === 'armed') await send(sessionId, id, approval.hash, answer)
    },
  }
}

/** Delay in ms after a switch to another session. It is longer than the pause before a habitual second key press. */
const SETTLE_MS = 700

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const NOT_CONNECTED = 'The window is not connected. Nothing was answered. The request is still waiting.'

type Outcome = AnswerOutcome | { readonly kind: 'not_sent'; readonly message: string }

async function ask(connection: Connection, sessionId: SessionId, approvalId: ApprovalId, hash: string, answer: Answer): Promise<Outcome> {
  if (!connection.client) return { kind: 'not_sent', message: NOT_CONNECTED }
  try {
    const { rules: _, ...said } = { rules: undefined, ...answer }
    return await connection.client.approvals.answer({ sessionId, approvalId, hash, answer: said })
  } catch (error) {
    return { kind: 'not_sent', message: `It is uncertain whether the answer arrived: ${messageOf(error)}` }
  }
}

/** Resolves to the reason why the rules were not made. Null if they were made. */
async function makeRules({ client }: Connection, rules: readonly RuleDraft[]): Promise<Trouble | null> {
  try {
    const done = await client?.rules.add({ rules: [...rules], origin: 'you' })
    return done?.ok === false ? done.trouble : null
  } catch (error) {
    return {
      code: 'rule_not_made',
      what: `It is uncertain whether the rule was created: ${messageOf(error)}`,
      kept: 'Your answer to this request counts.',
      todo: 'You can see the existing rules and create new ones in Settings > Rules.',
    }
  }
}

function withoutEffect(message: string): Trouble {
  return {
    code: 'answer_ignored',
    what: `Your answer did not count. ${message}`,
    kept: 'The ledger shows how the step was answered and what it did.',
    todo: 'No action needed.',
  }
}

function settled(outcome: Outcome, answer: Answer): Signing {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'answered', answer: answer.kind, at: Date.now() }
    case 'not_sent':
      return { kind: 'unseen', note: outcome.message }
    case 'ignored':
      return outcome.why === 'too_early' || outcome.why === 'cannot_amend'
        ? { kind: 'unseen', note: outcome.message }
        : { kind: 'void', message: outcome.message }
  }
}

function changed(store: StoreApi<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      stop()
      resolve()
    })
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
