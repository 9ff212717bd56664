import type { ReactNode } from 'react'
import type { ChangeDraft } from '../../../state/hooks/use-plan-draft.ts'
import type { Signing } from '../../../state/stores/approval-desk.ts'
import type { PlanDraft } from '../../../state/stores/plan-drafts.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Check } from '../../../ui/controls/check.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import type { Hold } from '../../../ui/hooks/use-hold.ts'
import { SignControl } from '../sign-control.tsx'
import { Note } from '../tray-parts.tsx'
import styles from './plan.module.css'

export interface PlanFooterProps {
  readonly draft: PlanDraft
  readonly onChange: ChangeDraft
  /** Why the plan cannot be signed now. Null if it can. */
  readonly whyNot: string | null
  readonly signing: Signing
  readonly hold: Hold
  readonly missed: boolean
  readonly onRefuse: () => void
  readonly onNote: () => void
  readonly onSign: () => void
  readonly onSignedShown: () => void
}

/** The conditions that the user adds to the signature, and the buttons that answer. */
export function PlanFooter({
  draft,
  onChange,
  whyNot,
  signing,
  hold,
  missed,
  onRefuse,
  onNote,
  onSign,
  onSignedShown,
}: PlanFooterProps): ReactNode {
  const isOpen = signing.kind !== 'answered' && signing.kind !== 'void'
  return (
    <>
      {isOpen && (
        <div className={styles.condition}>
          <Field
            label="Only on condition that"
            labelShown
            value={draft.condition}
            whileEmpty="No new dependency."
            onChange={(condition) => onChange((now) => ({ ...now, condition }))}
          />
          <Check
            label="Ask before anything that the plan does not list, in every mode"
            checked={draft.asksOutside}
            onChange={(asksOutside) => onChange((now) => ({ ...now, asksOutside }))}
          />
        </div>
      )}
      {isOpen && (
        <Button variant="quiet" keys="Mod+Del" tip="Nothing is done, and the request ends." onPress={onRefuse}>
          Refuse
        </Button>
      )}
      {isOpen && (
        <Button variant="quiet" onPress={onNote}>
          Ask for another plan
        </Button>
      )}
      <Note signing={signing} whyNot={whyNot} failed={false} missed={missed} destructive={false} />
      <SignControl
        words={draft.condition.trim() === '' ? 'Sign plan' : 'Sign with condition'}
        whyNot={whyNot}
        destructive={false}
        signing={signing}
        hold={hold}
        onSign={onSign}
        onSignedShown={onSignedShown}
      />
    </>
  )
}
