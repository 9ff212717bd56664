import type { ReactNode } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import { filesOf, type WorkPlan } from '../../../shared/workflow/work-plan.ts'
import type { Workflow } from '../../../shared/workflow/workflow.ts'
import { usePlanDraft } from '../../state/hooks/use-plan-draft.ts'
import { changesOf, draftOf } from '../../state/stores/plan-drafts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import styles from './plan.module.css'

export interface PlanProposalProps {
  readonly call: CallItem
  readonly plan: WorkPlan
  readonly answers: Workflow['answers']
}

/** A plan that waits for its signature: the user's edits, the user's answers, and the files and commands that the plan lists. */
export function PlanProposal({ call, plan, answers }: PlanProposalProps): ReactNode {
  const [draft, change] = usePlanDraft(call, plan)
  const changes = changesOf(plan, draft)
  const steps = draft.steps.filter(({ id }) => !draft.dropped.has(id))
  const files = filesOf({ ...plan, steps })
  const commands = [...new Set([...plan.commands, ...steps.flatMap((step) => step.commands)])]
  return (
    <>
      <PaneHead
        level="bar"
        title={changes.length > 0 ? 'What you changed' : 'What the plan is based on'}
        end={
          changes.length > 0 && (
            <Button
              variant="quiet"
              small
              onPress={() => change(({ condition, asksOutside }) => ({ ...draftOf(plan), condition, asksOutside }))}
            >
              Undo my changes
            </Button>
          )
        }
      />
      <PaneScroll label="Plan">
        {changes.length > 0 && (
          <section className={styles.part}>
            <h3>Compared with the proposed plan</h3>
            {changes.map(({ kind, id, words, detail }) => (
              <div key={`${kind} ${id}`} className={styles.change}>
                <Mark kind={kind === 'dropped' ? 'undone' : 'you'} />
                <div>
                  <p>{words}</p>
                  <p className={styles.note}>{detail}</p>
                </div>
              </div>
            ))}
          </section>
        )}
        {answers.length > 0 && (
          <section className={styles.part}>
            <h3>You answered</h3>
            {answers.map(({ question, answer }) => (
              <div key={question} className={styles.answer}>
                <p className="soft">
                  <ExactText text={question} />
                </p>
                <div className={styles.change}>
                  <Mark kind="you" />
                  <p>{answer || 'No answer'}</p>
                </div>
              </div>
            ))}
          </section>
        )}
        <Lines title="It will touch" lines={files} of={(path) => stepsWith(steps, path)} />
        <Lines title="It will run" lines={commands} of={() => ''} />
      </PaneScroll>
    </>
  )
}

/** Names the plan steps that contain this path, as in "steps 1, 3". Empty if none does. */
function stepsWith(steps: WorkPlan['steps'], path: string): string {
  const numbers = steps.flatMap(({ files }, at) => (files.includes(path) ? [at + 1] : []))
  return numbers.length === 0 ? '' : `${numbers.length === 1 ? 'step' : 'steps'} ${numbers.join(', ')}`
}

interface LinesProps {
  readonly title: string
  readonly lines: readonly string[]
  readonly of: (line: string) => string
}

function Lines({ title, lines, of }: LinesProps): ReactNode {
  if (lines.length === 0) return null
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {lines.map((line) => (
        <p key={line} className={styles.line}>
          <span className="mono">
            <ExactText text={line} />
          </span>
          <span className={styles.note}>{of(line)}</span>
        </p>
      ))}
    </section>
  )
}
