import { verbOf } from '../../shared/tools/catalogue.ts'
import { planText, readPlan } from '../../shared/tools/plan.ts'
import type { SessionEvent } from '../../shared/session/events.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { AgentReport } from '../agent/ports/subagents.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'

/** Nothing runs in it and nothing waits to: what it answered last is its result. */
export function isAtRest({ run, queue }: SessionState): boolean {
  return (run === 'IDLE' || run === 'CLOSED') && queue.every((input) => input.held)
}

export async function reportOf({ sessionId, record }: OpenedSession): Promise<AgentReport> {
  await record.remember()
  const state = record.state()
  const { transcript, tally } = record.memory()
  const answer = transcript.all().findLast((turn) => turn.kind === 'assistant')
  const text = answer?.content.map((part) => (part.kind === 'text' ? part.text : '')).join('') ?? ''
  const plan = state.parent?.answer === 'plan' ? readPlan(text) : null
  const output = plan ? planText(plan) : text
  const rest = { agentId: sessionId, output, turnsUsed: tally.answers() }
  if (!isAtRest(state)) return { ...rest, status: 'running', success: false, why: null }
  const success = state.ended === 'completed'
  const status = success ? 'completed' : 'failed'
  return { ...rest, success, status, ...(wasStopped(state) && { stopped: true }), why: success ? null : whyEnded(state) }
}

/** By somebody's wish: a turn that an error ended says which one. */
function wasStopped({ ended, items }: Pick<SessionState, 'ended' | 'items'>): boolean {
  const last = items.at(-1)
  return ended === 'stopped' && !(last?.kind === 'notice' && last.level === 'error' && last.trouble.what !== '')
}

/** Why a session did not come to its natural end, as a sentence. */
export function whyEnded({ ended, items }: Pick<SessionState, 'ended' | 'items'>): string {
  const last = items.at(-1)
  const said = last?.kind === 'notice' ? last.trouble.what : ''
  switch (ended) {
    case 'stopped':
      return wasStopped({ ended, items }) ? 'It was stopped.' : said
    case 'limit':
      return said || 'It reached a limit.'
    case 'interrupted':
      return 'It was interrupted.'
    case 'error':
      return said || 'It failed.'
    case 'completed':
    case null:
      return 'It has not begun.'
  }
}

/** What a subagent does at this moment, in a few words; null: the event says nothing of it. */
export function actionOf(event: SessionEvent): string | null {
  switch (event.kind) {
    case 'REQUEST_SENT':
      return 'Thinking'
    case 'TOOL_CALL_START':
      return `${verbOf(event.toolName)} ${subjectOf(event.args ?? {})}`.trim()
    case 'APPROVAL_REQUESTED':
      return `Waits for a signature: ${verbOf(event.toolName)}`
    default:
      return null
  }
}

/** The argument by which a person knows a call, cut to a line. */
function subjectOf(args: Readonly<Record<string, unknown>>): string {
  const named = ['file_path', 'path', 'pattern', 'command', 'url', 'task']
    .map((name) => args[name])
    .find((value) => typeof value === 'string')
  return typeof named === 'string' ? (named.split('\n', 1)[0] ?? '').slice(0, 120).toWellFormed() : ''
}
