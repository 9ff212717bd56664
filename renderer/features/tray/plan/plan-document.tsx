import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WorkPlan } from '../../../../shared/workflow/work-plan.ts'
import type { ChangeDraft } from '../../../state/hooks/use-plan-draft.ts'
import { type PlanChange, type PlanDraft, withNewStep } from '../../../state/stores/plan-drafts.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ExactProse } from '../../../ui/text/exact-text.tsx'
import { PlanStepRow } from './plan-step-row.tsx'
import styles from './plan.module.css'

export interface PlanDocumentProps {
  readonly plan: WorkPlan
  readonly draft: PlanDraft
  readonly changes: readonly PlanChange[]
  readonly onChange: ChangeDraft
  /** Called when the user asks the agent about a plan step. */
  readonly onAsk: (title: string, nr: number) => void
  readonly wordsOf: (text: string) => ReactNode
}

/** The plan with the user's edits, as it would be signed. */
export function PlanDocument({ plan, draft, changes, onChange, onAsk, wordsOf }: PlanDocumentProps): ReactNode {
  const kept = draft.steps.filter(({ id }) => !draft.dropped.has(id))
  return (
    <div className={styles.document}>
      <h3 className={styles.title}>
        <ExactProse text={plan.title} />
      </h3>
      {plan.summary !== '' && plan.summary !== plan.title && <div className={styles.summary}>{wordsOf(plan.summary)}</div>}
      <ol className={styles.steps} aria-label="Steps">
        {draft.steps.map((step, at) => (
          <PlanStepRow
            key={step.id}
            step={step}
            nr={kept.indexOf(step) + 1}
            isFirst={at === 0}
            isLast={at === draft.steps.length - 1}
            isDropped={draft.dropped.has(step.id)}
            isEditing={draft.editing === step.id}
            change={changes.find(({ id }) => id === step.id) ?? null}
            onChange={onChange}
            onAsk={onAsk}
          />
        ))}
      </ol>
      <div className={styles.more}>
        <Button variant="quiet" small icon={Plus} onPress={() => onChange(withNewStep)}>
          Add a step
        </Button>
      </div>
      <List title="Files to create" entries={plan.files_to_create.map(({ path, purpose }) => `${path}: ${purpose}`)} />
      <List title="Files to modify" entries={plan.files_to_modify.map(({ path, changes: what }) => `${path}: ${what}`)} />
      <List title="Commands" entries={plan.commands.filter((command) => !draft.steps.some(({ commands }) => commands.includes(command)))} />
      <List title="Tests" entries={plan.tests.map(({ path, coverage }) => `${path}: ${coverage}`)} />
      <List title="New dependencies" entries={plan.dependencies} />
      <List title="Open questions" entries={plan.open_questions} />
    </div>
  )
}

function List({ title, entries }: { readonly title: string; readonly entries: readonly string[] }): ReactNode {
  if (entries.length === 0) return null
  return (
    <section className={styles.list}>
      <h4>{title}</h4>
      <ul>
        {entries.map((entry, at) => (
          // A model may list the same entry twice.
          <li key={`${entry} ${at}`}>
            <ExactProse text={entry} />
          </li>
        ))}
      </ul>
    </section>
  )
}
