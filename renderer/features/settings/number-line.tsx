import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/controls/field.tsx'
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

/** How a number that can be set is written, and between what. All of it in the unit that people write. */
export interface NumberSetting {
  /** "a number of rounds", "an amount of money". */
  readonly noun: string
  readonly least: number
  readonly most: number
  /** Parts of the unit that may be written: 0 or 2 digits after the point. */
  readonly digits: 0 | 2
  /** What leaving it empty stands for: "no limit"; null: it may not be empty. */
  readonly empty: string | null
}

type ReadNumber =
  | { readonly kind: 'number'; readonly value: number }
  /** Left empty, where that means something. */
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly why: string }

/** What somebody has typed: blanks and thousands' separators are not in the way. `why` says what it is not and how it would be right. */
export function readNumber(typed: string, setting: NumberSetting): ReadNumber {
  const { noun, least, most, digits, empty } = setting
  const plain = typed.trim().replaceAll(/(?<=\d)[,\s](?=\d{3}(\D|$))/g, '')
  if (plain === '' && empty !== null) return { kind: 'none' }
  const value = (digits === 0 ? /^\d{1,15}$/ : /^\d{1,12}(\.\d{1,2})?$/).test(plain) ? Number(plain) : Number.NaN
  if (value >= least && value <= most) return { kind: 'number', value }
  const range = `${grouped(least)} to ${grouped(most)}`
  return {
    kind: 'wrong',
    why: `${typed.trim() || 'Nothing'} is not ${noun}. ${range}${empty === null ? '' : `, or empty for ${empty}`}. What was set stays.`,
  }
}

/** `1,000,000`: counting noughts is no way to read a limit. */
const grouped = (value: number): string => value.toLocaleString('en')
