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

export type ReadNumber =
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
