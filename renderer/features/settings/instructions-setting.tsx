import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/controls/field.tsx'
import { SettingLine } from './setting-line.tsx'
import styles from './settings.module.css'
import type { Changing } from './use-change.ts'

/** Characters (`SettingFields`). */
const MOST = 20_000

export interface InstructionsSettingProps {
  readonly kept: string
  readonly change: Changing['change']
}

/** What the agent is told in every project. Kept when the field is left. */
export function InstructionsSetting({ kept, change }: InstructionsSettingProps): ReactNode {
  const [{ typed, of }, setField] = useState({ typed: kept, of: kept })
  if (of !== kept) setField({ typed: kept, of: kept })
  const isTooLong = typed.length > MOST
  const keep = (): void => {
    if (!isTooLong && typed !== kept) change({ userInstructions: typed })
  }
  return (
    <SettingLine
      title="Your instructions"
      words="The agent is told this in every project, after the project’s own instructions. New sessions use it. instructions.md in the data folder works the same way."
    >
      <div className={styles.instructions} onBlur={keep}>
        <Field
          label="Your instructions"
          rows={4}
          whileEmpty="Answer in German. Prefer small commits."
          value={typed}
          onChange={(text) => setField({ typed: text, of })}
          error={isTooLong ? `${typed.length} characters are too many. Up to ${MOST}.` : null}
        />
      </div>
    </SettingLine>
  )
}
