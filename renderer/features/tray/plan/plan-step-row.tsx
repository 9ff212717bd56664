import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { PlanStep } from '../../../../shared/workflow/work-plan.ts'
import type { ChangeDraft } from '../../../state/hooks/use-plan-draft.ts'
import { edited, moved, type PlanChange, toggled } from '../../../state/stores/plan-drafts.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Check } from '../../../ui/controls/check.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { ExactProse, ExactText } from '../../../ui/text/exact-text.tsx'
import styles from './plan.module.css'

export interface PlanStepRowProps {
  readonly step: PlanStep
  /** Position among the kept steps, counted from 1, or 0 for a dropped step. */
  readonly nr: number
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly isDropped: boolean
  readonly isEditing: boolean
  /** What the user changed in the step. Null if the user changed nothing. */
  readonly change: PlanChange | null
  readonly onChange: ChangeDraft
  readonly onAsk: (title: string, nr: number) => void
}

const MADE: Readonly<Record<PlanChange['kind'], string>> = {
  edited: 'your words',
  moved: 'moved by you',
  dropped: 'dropped by you',
  added: 'added by you',
}

/** One step of a proposed plan. Alt with an arrow key moves the step while the focus is in it. */
export function PlanStepRow({ step, nr, isFirst, isLast, isDropped, isEditing, change, onChange, onAsk }: PlanStepRowProps): ReactNode {
  const { id, title } = step
  const move = (by: -1 | 1): void => onChange((draft) => moved(draft, id, by))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  const name = title.replaceAll('`', '') || 'the new step'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the controls inside, which bubble
    <li className={classNames(styles.step, isDropped && styles.dropped, isEditing && styles.editing)} onKeyDown={onKeyDown}>
      <span className={styles.no}>{isDropped ? '' : nr}</span>
      <Check label={`Keep ${name}`} labelHidden checked={!isDropped} onChange={() => onChange((draft) => toggled(draft, id))} />
      <div className={styles.body}>
        {isEditing ? <StepFields step={step} onChange={onChange} /> : <StepText step={step} />}
        {change && <p className={styles.made}>{MADE[change.kind]}</p>}
      </div>
      <div className={styles.acts}>
        {isDropped ? (
          <Button variant="quiet" small label={`Restore: ${name}`} onPress={() => onChange((draft) => toggled(draft, id))}>
            Restore
          </Button>
        ) : (
          <>
            <Button
              variant="quiet"
              small
              label={`${isEditing ? 'Done' : 'Edit'}: ${name}`}
              onPress={() => onChange((draft) => ({ ...draft, editing: isEditing ? null : id }))}
            >
              {isEditing ? 'Done' : 'Edit'}
            </Button>
            <Button variant="quiet" small label={`Drop: ${name}`} onPress={() => onChange((draft) => toggled(draft, id))}>
              Drop
            </Button>
            <Button
              variant="quiet"
              small
              only
              icon={ArrowUp}
              label={`Move ${name} up`}
              disabledReason={isFirst ? 'It is the first.' : null}
              onPress={() => move(-1)}
            />
            <Button
              variant="quiet"
              small
              only
              icon={ArrowDown}
              label={`Move ${name} down`}
              disabledReason={isLast ? 'It is the last.' : null}
              onPress={() => move(1)}
            />
            <Button variant="quiet" small label={`Ask about it: ${name}`} onPress={() => onAsk(title, nr)}>
              Ask about it
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

function StepText({ step: { title, details, files, commands, check } }: Pick<PlanStepRowProps, 'step'>): ReactNode {
  return (
    <>
      <p className={styles.stepTitle}>
        <ExactProse text={title} />
      </p>
      {details !== '' && (
        <p className={styles.details}>
          <ExactProse text={details} />
        </p>
      )}
      <Line term="Files" entries={files} mono />
      <Line term="Commands" entries={commands} mono />
      <Line term="Shown by" entries={check === '' ? [] : [check]} />
    </>
  )
}

function Line({
  term,
  entries,
  mono = false,
}: {
  readonly term: string
  readonly entries: readonly string[]
  readonly mono?: boolean
}): ReactNode {
  if (entries.length === 0) return null
  return (
    <p className={styles.line}>
      <span className="soft">{term}</span>
      <span className={mono ? 'mono' : undefined}>
        {mono ? <ExactText text={entries.join(', ')} /> : <ExactProse text={entries.join(', ')} />}
      </span>
    </p>
  )
}

function StepFields({ step, onChange }: Pick<PlanStepRowProps, 'step' | 'onChange'>): ReactNode {
  const { id, title, details, files, commands, check } = step
  const first = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => first.current?.focus(), [])
  const [isMore, setMore] = useState(false)
  const put = (change: Partial<Omit<PlanStep, 'id'>>): void => onChange((draft) => edited(draft, id, change))
  return (
    <div className={styles.fields}>
      <Field ref={first} label="What is done" labelShown value={title} onChange={(text) => put({ title: text })} />
      <div>
        <Button variant="quiet" small expanded={isMore} onPress={() => setMore(!isMore)}>
          {isMore ? 'Less' : 'More'}
        </Button>
      </div>
      {isMore && <OtherFields details={details} files={files} commands={commands} check={check} put={put} />}
    </div>
  )
}

interface OtherFieldsProps extends Pick<PlanStep, 'details' | 'files' | 'commands' | 'check'> {
  readonly put: (change: Partial<Omit<PlanStep, 'id'>>) => void
}

/** The fields of a step that are rarely edited. */
function OtherFields({ details, files, commands, check, put }: OtherFieldsProps): ReactNode {
  return (
    <>
      <Field label="Details" labelShown rows={2} value={details} onChange={(text) => put({ details: text })} />
      <Field
        label="Files, one per line"
        labelShown
        mono
        rows={2}
        value={files.join('\n')}
        onChange={(text) => put({ files: linesOf(text) })}
      />
      <Field
        label="Commands, one per line"
        labelShown
        mono
        rows={2}
        value={commands.join('\n')}
        onChange={(text) => put({ commands: linesOf(text) })}
      />
      <Field label="Shown by" labelShown value={check} onChange={(text) => put({ check: text })} />
    </>
  )
}

/** Splits text into lines. An empty last line is kept, because the user may be about to type in it. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))
