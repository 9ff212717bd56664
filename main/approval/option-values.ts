import type { ShellWord } from './simple-command.ts'

/** Which options of a program take a value. Letters stand for short options, words for long ones. */
export interface OptionSpelling {
  /** Short options with a value, in the same word or in the next. */
  readonly short: string
  /** Short options whose value, if they have one, is in the same word. */
  readonly glued?: string
  /** Long options whose value may be in the next word. */
  readonly long?: readonly string[]
}

interface OptionValue {
  /** The letter, or the long name in full. */
  readonly name: string
  readonly word: ShellWord
}

export interface Arguments {
  readonly operands: readonly ShellWord[]
  readonly values: readonly OptionValue[]
  /** Letters and long names of the options without a value. */
  readonly flags: readonly string[]
}

/** Takes arguments apart as getopt_long does: bundled letters, values glued, behind `=` or in the next word, long names cut short. */
export function argumentsOf(words: readonly ShellWord[], spelling: OptionSpelling): Arguments {
  const operands: ShellWord[] = []
  const values: OptionValue[] = []
  const flags: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) break
    if (word.text === '--') {
      operands.push(...words.slice(at + 1))
      break
    }
    const option = word.text.startsWith('--') ? longOption(word, spelling) : shortOptions(word, spelling)
    if (option === null) {
      operands.push(word)
      continue
    }
    flags.push(...option.flags)
    if (option.name === undefined) continue
    const value = option.value ?? words[++at]
    if (value) values.push({ name: option.name, word: value })
  }
  return { operands, values, flags }
}

interface Option {
  readonly flags: readonly string[]
  /** The one that has a value; without `value` it is the next word. */
  readonly name?: string
  readonly value?: ShellWord
}

function longOption({ text, expands }: ShellWord, { long = [] }: OptionSpelling): Option {
  const [, written = '', value] = /^--([^=]*)(?:=(.*))?$/su.exec(text) ?? []
  const known = long.includes(written) ? written : long.find((name) => written.length > 1 && name.startsWith(written))
  if (value !== undefined) return { flags: [], name: known ?? written, value: { text: value, expands } }
  return known === undefined ? { flags: [written] } : { flags: [], name: known }
}

function shortOptions({ text, expands }: ShellWord, { short, glued = '' }: OptionSpelling): Option | null {
  if (!/^-./su.test(text)) return null
  const letters = text.slice(1)
  const at = [...letters].findIndex((letter) => short.includes(letter) || glued.includes(letter))
  if (at < 0) return { flags: [...letters] }
  const name = letters[at] ?? ''
  const rest = letters.slice(at + 1)
  const flags = [...letters.slice(0, at)]
  return rest === '' && short.includes(name) ? { flags, name } : { flags, name, value: { text: rest, expands } }
}
