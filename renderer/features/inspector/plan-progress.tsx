import { Check, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { planMarkdown } from '../../../shared/workflow/work-plan.ts'
import { progressOf, type ApprovedPlan, type StepProgress, type Workflow } from '../../../shared/workflow/workflow.ts'
import { useSession } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime, counted } from '../../ui/format.ts'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { Dot } from '../../ui/marks/dot.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import { ExactProse, ExactText } from '../../ui/text/exact-text.tsx'
import styles from './plan.module.css'

export interface PlanProgressProps {
  readonly sessionId: SessionId
  readonly workflow: Workflow
  readonly approved: ApprovedPlan
}

/** The approved plan: how many of its steps are completed, what each step lists, and the work done that the plan does not mention. */
export function PlanProgress({ sessionId, workflow, approved }: PlanProgressProps): ReactNode {
  const isRunning = useSession(sessionId, ({ run }) => run === 'PROCESSING' || run === 'AWAITING_INPUT', false)
  const { plan, condition, at } = approved
  const { done, of } = progressOf(workflow)
  const dropped = workflow.proposed?.steps.filter(({ id }) => !plan.steps.some((step) => step.id === id)) ?? []
  const loose = workflow.deviations.filter(({ at: step }) => step === null)
  return (
    <>
      <PaneHead
        level="bar"
        title={<ExactProse text={plan.title} />}
        aside={`${of > 0 ? `${done} of ${of}, ` : ''}signed ${clockTime(at)}`}
      />
      <PaneScroll label="Plan">
        <ol className={styles.steps} aria-label="Steps of the plan">
          {plan.steps.map(({ id, title, files, commands }, nr) => (
            <Step
              key={id}
              nr={nr + 1}
              title={title}
              work={[...new Set([...files, ...commands])]}
              progress={workflow.steps.find((step) => step.id === id)}
              isRunning={isRunning && workflow.stage === 'executing'}
              deviations={workflow.deviations.filter((one) => one.at === id)}
            />
          ))}
          {dropped.map(({ id, title }) => (
            <li key={id} className={styles.step}>
              <span />
              <Mark kind="undone" word="Dropped by you" />
              <div>
                <p className={styles.dropped}>
                  <ExactProse text={title} />
                </p>
                <p className={styles.note}>dropped by you</p>
              </div>
            </li>
          ))}
        </ol>
        <Outside deviations={loose} />
        {workflow.tests.written && (
          <section className={styles.part}>
            <h3>Tests</h3>
            <p className={styles.tests}>
              <span className={workflow.tests.red === null ? 'soft' : 'del'}>
                {workflow.tests.red === null ? 'Not seen failing yet' : `Red at step ${workflow.tests.red}`}
              </span>
              {workflow.tests.red !== null && (
                <span className={workflow.tests.green === null ? 'soft' : 'add'}>
                  {workflow.tests.green === null ? 'Not green yet' : `Green at step ${workflow.tests.green}`}
                </span>
              )}
            </p>
          </section>
        )}
        {condition !== null && (
          <section className={styles.part}>
            <h3>Your condition</h3>
            <p className={styles.quote}>{condition}</p>
          </section>
        )}
        <div className={styles.part}>
          <Button small onPress={() => void navigator.clipboard.writeText(planMarkdown(plan, condition))}>
            Copy as Markdown
          </Button>
        </div>
      </PaneScroll>
    </>
  )
}

interface StepProps {
  readonly nr: number
  readonly title: string
  /** The files and commands that the plan lists for the step. */
  readonly work: readonly string[]
  readonly progress: StepProgress | undefined
  readonly isRunning: boolean
  readonly deviations: Workflow['deviations']
}

const WORDS: Readonly<Record<StepProgress['state'], string>> = { pending: 'To do', running: 'In progress', done: 'Done' }

function Step({ nr, title, work, progress, isRunning, deviations }: StepProps): ReactNode {
  const state = progress?.state ?? 'pending'
  const calls = progress?.calls ?? []
  return (
    <li className={styles.step} data-state={state}>
      <span className={styles.no}>{nr}</span>
      <span className={styles.mark}>
        {state === 'done' && <Icon glyph={Check} size={14} />}
        {state === 'running' && (isRunning ? <Dot state="running" silent /> : <Icon glyph={CircleDashed} size={14} />)}
      </span>
      <div>
        <p className={state === 'running' ? 'strong' : state === 'done' ? 'soft' : undefined}>
          <VisuallyHidden>{WORDS[state]}: </VisuallyHidden>
          <ExactProse text={title} />
        </p>
        {calls.length > 0 && (
          <p className={styles.note}>
            {counted(calls.length, 'step').replace(/^\d+ /u, '')} {calls.join(', ')}
          </p>
        )}
        {work.length > 0 && <Work title={title} work={work} touched={progress?.touched ?? []} />}
        <Outside deviations={deviations} />
      </div>
    </li>
  )
}

/** The files and commands that a plan step lists. Each file that was touched and each command that was run has a check mark. */
function Work({ title, work, touched }: Pick<StepProps, 'title' | 'work'> & Pick<StepProgress, 'touched'>): ReactNode {
  return (
    <ul className={styles.work} aria-label={`Files and commands: ${title}`}>
      {work.map((entry) => (
        <li key={entry}>
          {touched.includes(entry) && <Icon glyph={Check} size={14} />}
          <VisuallyHidden>{touched.includes(entry) ? 'Done: ' : 'To do: '}</VisuallyHidden>
          <span className="mono">
            <ExactText text={entry} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Outside({ deviations }: { readonly deviations: Workflow['deviations'] }): ReactNode {
  return deviations.map(({ call, words }) => (
    <p key={`${call} ${words}`} className={styles.outside}>
      Step {call} is not in the plan:{' '}
      <span className="mono">
        <ExactText text={words} />
      </span>
    </p>
  ))
}
