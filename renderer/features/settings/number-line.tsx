import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/controls/field.tsx'
import { type NumberSetting, readNumber } from './number-setting.ts'
import { SettingLine } from './setting-line.tsx'
import styles from './settings.module.css'

export interface NumberLineProps extends NumberSetting {
  readonly title: string
  readonly words: string
  /** "rounds", "tokens", "s"; "$" stands before its number. */
  readonly unit: string
  /** In the unit of the field; null: none is set. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** A number with its unit. Kept when its field is left or Enter is pressed, not at each digit; what cannot be kept stays to be mended. */
export function NumberLine({ title, words, unit, value, onChange, ...setting }: NumberLineProps): ReactNode {
  const isMoney = unit === '$'
  const kept = value === null ? '' : isMoney ? value.toFixed(2) : String(value)
  // what main has kept takes the place of what was typed
  const [{ typed, of }, setField] = useState({ typed: kept, of: kept })
  if (of !== kept) setField({ typed: kept, of: kept })
  const read = readNumber(typed, setting)
  const keep = (): void => {
    if (read.kind === 'wrong') return
    const wanted = read.kind === 'none' ? null : read.value
    if (wanted !== value) onChange(wanted)
    else setField({ typed: kept, of: kept })
  }
  return (
    <SettingLine title={title} words={words}>
      <div className={styles.number} onBlur={keep}>
        <Field
          label={title}
          value={typed}
          whileEmpty={setting.empty ?? undefined}
          onChange={(text) => setField({ typed: text, of })}
          error={read.kind === 'wrong' ? read.why : null}
          start={isMoney && <span className="soft">{unit}</span>}
          end={!isMoney && <span className="soft">{unit}</span>}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep()
          }}
        />
      </div>
    </SettingLine>
  )
}
