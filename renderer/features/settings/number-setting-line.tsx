import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/controls/field.tsx'
import { SettingLine } from './setting-section.tsx'
import styles from './settings.module.css'

export interface NumberSettingLineProps extends NumberSetting {
  readonly title: string
  readonly words: string
  /** Unit such as "rounds", "tokens", "s". "$" is shown before the number. */
  readonly unit: string
  /** The value in the unit of the field. Null if none is set. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** A number with its unit. It is saved when the field loses the focus or on Enter. Invalid input is kept in the field. */
export function NumberSettingLine({ title, words, unit, value, onChange, ...setting }: NumberSettingLineProps): ReactNode {
  const isMoney = unit === '$'
  const kept = value === null ? '' : isMoney ? value.toFixed(2) : String(value)
  // When the main process reports a new saved value, that value replaces the typed text.
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

/** Format and range of a number setting, in the unit of the field. */
export interface NumberSetting {
  /** The expected number in words: "a number of rounds", "an amount of money". */
  readonly noun: string
  readonly least: number
  readonly most: number
  /** Maximum number of digits after the decimal point. */
  readonly digits: 0 | 2
  /** Meaning of an empty field: "no limit". Null if the field must not be empty. */
  readonly empty: string | null
}

type ReadNumber =
  | { readonly kind: 'number'; readonly value: number }
  /** The field is empty, which is allowed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly why: string }

/** Parses typed text. Commas and spaces that separate thousands are ignored. `why` says what is wrong and what is allowed. */
export function readNumber(typed: string, setting: NumberSetting): ReadNumber {
  const { noun, least, most, digits, empty } = setting
  const plain = typed.trim().replaceAll(/(?<=\d)[,\s](?=\d{3}(\D|$))/g, '')
  if (plain === '' && empty !== null) return { kind: 'none' }
  const value = (digits === 0 ? /^\d{1,15}$/ : /^\d{1,12}(\.\d{1,2})?$/).test(plain) ? Number(plain) : Number.NaN
  if (value >= least && value <= most) return { kind: 'number', value }
  const flaw = Number.isNaN(value) ? `is not ${noun}` : value < least ? 'is too low' : 'is too high'
  const range = `${grouped(least)} to ${grouped(most)}`
  return {
    kind: 'wrong',
    why: `${typed.trim() || 'Nothing'} ${flaw}. ${range}${empty === null ? '' : `, or empty for ${empty}`}. The setting was not changed.`,
  }
}

/** Formats a number with thousands separators: `1,000,000`. */
const grouped = (value: number): string => value.toLocaleString('en')
