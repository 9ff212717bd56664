import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/controls/field.tsx'
import { SettingLine } from './setting-section.tsx'
import styles from './settings.module.css'
import type { Changing } from './use-setting-change.ts'

/** Maximum number of characters. `SettingFields` has the same limit. */
const MAX_INSTRUCTION_CHARS = 20_000

export interface InstructionsSettingProps {
  readonly kept: string
  readonly change: Changing['change']
}

/** Instructions for the agent in every project. Saved when the field loses the focus. */
export function InstructionsSetting({ kept, change }: InstructionsSettingProps): ReactNode {
  const [{ typed, of }, setField] = useState({ typed: kept, of: kept })
  if (of !== kept) setField({ typed: kept, of: kept })
  const isTooLong = typed.length > MAX_INSTRUCTION_CHARS
  const keep = (): void => {
    if (!isTooLong && typed !== kept) change({ userInstructions: typed })
  }
  return (
    <SettingLine
      title="Your instructions"
      words="Given to the agent in every new session, after the project’s own instructions. You can also put them into instructions.md in the data folder."
    >
      <div className={styles.instructions} onBlur={keep}>
        <Field
          label="Your instructions"
          rows={4}
          whileEmpty="Answer in German. Prefer small commits."
          value={typed}
          onChange={(text) => setField({ typed: text, of })}
          error={isTooLong ? `${typed.length} characters are too many. At most ${MAX_INSTRUCTION_CHARS} are allowed.` : null}
        />
      </div>
    </SettingLine>
  )
}
