import { Emitter } from '../../shared/lib/emitter.ts'
import { type FamilyParts, type FamilyRequest, familyRequests, whoseEvent } from '../subagents/subagent-requests.ts'
import { AgentError, badOption } from './agent-error.ts'
import type { ApprovalAnswer, ApprovalHandler, ApprovalRequest } from './agent-interface.ts'

/** The unanswered requests of a session and its subagents. */
export interface WaitingRequests {
  list(): readonly ApprovalRequest[]
  /** Throws an `AgentError` if the request is no longer waiting. */
  answer(id: string, answer: ApprovalAnswer): Promise<void>
  /** Resolves when there is a request that no handler will answer, or when the signal aborts. */
  untilPaused(signal: AbortSignal): Promise<void>
}

interface Decided {
  readonly answer: ApprovalAnswer
  readonly from: 'terminal' | 'flag'
}

/** Passes every request to the host's handler until the signal aborts. Without a handler, the requests wait. */
export function hearRequests(parts: FamilyParts, handler: ApprovalHandler | undefined): WaitingRequests {
  const { session, signal } = parts
  const asked = new Map<string, FamilyRequest>()
  /** Ids of requests that no handler will answer. */
  const left = new Set<string>()
  const changed = new Emitter<void>()
  const forget = (id: string): void => {
    asked.delete(id)
    left.delete(id)
  }
  const heard = session.record.subscribe((envelope) => {
    const { event } = whoseEvent(envelope.event, session.sessionId)
    if (event.kind === 'APPROVAL_ANSWERED') forget(event.approvalId)
  })
  signal.addEventListener('abort', () => heard.dispose(), { once: true })
  const hear = async (): Promise<void> => {
    for await (const request of familyRequests(parts)) {
      const { approvalId } = request.call.approval
      asked.set(approvalId, request)
      const said = handler ? await decided(handler, request) : 'later'
      if (said !== 'later') await given(request, said.answer, said.from).catch(() => {})
      else if (asked.has(approvalId)) left.add(approvalId)
      changed.fire()
    }
  }
  void hear()
  return {
    list: () => [...asked.values()].map(requestOf),
    async answer(id, answer) {
      const request = asked.get(id)
      if (!request)
        throw badOption(`No request ${id} is waiting for an answer.`, 'Call session.requests() to see which requests are waiting.')
      forget(id)
      await given(request, answer, 'terminal')
    },
    untilPaused: (until) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (left.size === 0 && !until.aborted) return
          subscription.dispose()
          resolve()
        }
        const subscription = changed.event(look)
        until.addEventListener('abort', look, { once: true })
        look()
      }),
  }
}

/** An answer that the host gave counts as a person's. If its handler fails, nobody answered. */
async function decided(handler: ApprovalHandler, request: FamilyRequest): Promise<Decided | 'later'> {
  try {
    const answer = await handler(requestOf(request))
    return answer === 'later' ? answer : { answer, from: 'terminal' }
  } catch (error) {
    const refuse = `The program that embeds the agent failed to answer: ${error instanceof Error ? error.message : String(error)}`
    return { answer: { refuse }, from: 'flag' }
  }
}

async function given({ session, call }: FamilyRequest, said: ApprovalAnswer, from: Decided['from']): Promise<void> {
  const { approvalId, hash } = call.approval
  const answer = said === 'sign' ? ({ kind: 'sign' } as const) : ({ kind: 'refuse', note: noteIn(said) } as const)
  const outcome = await session.answer({ approvalId, hash, answer, from })
  if (outcome.kind === 'ignored')
    throw new AgentError({
      code: outcome.why,
      what: outcome.message,
      kept: 'The session is unchanged.',
      todo: 'Call session.requests() to see which requests are waiting.',
    })
}

function noteIn(said: Exclude<ApprovalAnswer, 'sign'>): string | null {
  if (said === 'refuse') return null
  if (typeof said === 'object' && typeof said.refuse === 'string') return said.refuse
  throw badOption(`${JSON.stringify(said)} is not an answer to a request.`, "Answer 'sign', 'refuse' or { refuse: note }.")
}

function requestOf({ session, call }: FamilyRequest): ApprovalRequest {
  const { toolCallId, toolName, args, effects, approval } = call
  const { approvalId: id, reason, destructive } = approval
  return { id, sessionId: session.sessionId, toolCallId, toolName, args: { ...args }, effects, reason, destructive }
}
