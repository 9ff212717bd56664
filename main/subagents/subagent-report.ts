import { lineOf, verbOf } from '../../shared/tools/catalogue.ts'
import { lineText } from '../../shared/tools/spec/call-line.ts'
import { planText, readPlan } from '../../shared/workflow/plan-agent-answer.ts'
import type { SessionEvent } from '../../shared/session/events.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import type { AgentReport } from '../agent/ports/subagents.ts'
import { answerToNewestMessage } from '../sessions/answer-to-newest-message.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'

export async function reportOf({ sessionId, record }: OpenedSession): Promise<AgentReport> {
  await record.remember()
  const state = record.state()
  const text = answerToNewestMessage(record)
  const plan = state.parent?.answer === 'plan' ? readPlan(text) : null
  const output = plan ? planText(plan) : text
  const rest = {
    agentId: sessionId,
    output,
    turnsUsed: record.memory().tally.answers(),
    changes: null,
    noOwnCopy: state.parent?.noOwnCopy ?? null,
  }
  if (!isFinished(state)) return { ...rest, status: 'running', success: false, why: null }
  const success = state.ended === 'completed'
  const status = success ? 'completed' : 'failed'
  return { ...rest, success, status, ...(wasStopped(state) && { stopped: true }), why: success ? null : whyEnded(state) }
}

/** Whether the user stopped the session. A turn that ended with an error has a notice with the reason instead. */
function wasStopped({ ended, items }: Pick<SessionState, 'ended' | 'items'>): boolean {
  const last = items.at(-1)
  return ended === 'stopped' && !(last?.kind === 'notice' && last.level === 'error' && last.trouble.what !== '')
}

/** The reason, as a sentence, why a session ended early. */
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

/** Maximum number of characters of a line that says what a subagent is doing. */
const MAX_LINE_CHARS = 140

/** The current action of a subagent in a few words; null if the event does not show it. */
export function actionOf(event: SessionEvent): string | null {
  switch (event.kind) {
    case 'REQUEST_SENT':
      return 'Thinking'
    case 'TOOL_CALL_START':
      return lineText(lineOf(event)).slice(0, MAX_LINE_CHARS).toWellFormed()
    case 'APPROVAL_REQUESTED':
      return `Waits for a signature: ${verbOf(event.toolName)}`
    default:
      return null
  }
}
