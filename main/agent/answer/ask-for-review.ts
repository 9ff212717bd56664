import { newId } from '../../../shared/lib/ids.ts'
import type { LoggedTurn } from '../../../shared/session/conversation-turns.ts'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import { endsWithQuestion } from '../../../shared/session/session-title.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { unreviewedSteps } from '../../../shared/workflow/workflow.ts'
import { planInForce } from '../plan-deviations.ts'

/**
 * In staged review, returns what comes instead of the end of a turn whose changes the developer has not reviewed: the model is asked once to
 * mark the step as completed, which requests the review. If it does not, the turn ends with a warning. `words`: the model's last answer.
 * `ending`: the end of the turn.
 */
export function askForReview(
  { config, workflow }: SessionState,
  turns: readonly LoggedTurn[],
  words: string,
  ending: readonly DurableEvent[],
): readonly DurableEvent[] {
  const plan = planInForce(workflow)?.plan
  if (!plan || !workflow || config.course !== 'review' || endsWithQuestion(words)) return ending
  const titles = unreviewedSteps(workflow).map(({ id }) => `“${plan.steps.find((step) => step.id === id)?.title || id}”`)
  if (titles.length === 0) return ending
  const text = noteAbout(titles.join(', '))
  if (wasAsked(turns, text)) return [{ kind: 'WARNING', trouble: notReviewed(titles.join(', ')) }, ...ending]
  return [{ kind: 'STEERING_INJECTED', inputId: newId('in'), text, by: 'loop' }]
}

/** Read from the conversation, so that a restart changes nothing. */
function wasAsked(turns: readonly LoggedTurn[], text: string): boolean {
  const message = turns.findLastIndex(({ kind }) => kind === 'user')
  return turns.slice(message + 1).some((turn) => turn.kind === 'steering' && turn.by === 'loop' && turn.content === text)
}

const noteAbout = (titles: string): string =>
  `The developer has not reviewed the changes of ${titles}. If the step is done, mark it as completed in your list now, so that they can review it. If it is not done, go on with it.`

const notReviewed = (titles: string): Trouble => ({
  code: 'not_reviewed',
  what: `The agent ended its turn without presenting ${titles} for review.`,
  kept: 'The changes stay in the folder. The plan is not finished.',
  todo: 'Review the changes, then send a message: the agent goes on with the plan.',
})
