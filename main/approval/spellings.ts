import type { ShellWord } from './simple-command.ts'

/** More than a brace has a use for; what is more cannot be told. */
const MOST_SPELLINGS = 64

/** Whether the words of the line tell what the shell makes of a word: no variable but HOME, no substitution, no `~-`. */
export function isTold({ text, expands }: ShellWord): boolean {
  return !expands || !/\$|^~[-+\d]/u.test(text.replace(HOME_VARIABLE, '~'))
}

export const HOME_VARIABLE = /\$(?:HOME(?!\w)|\{HOME\})/gu

/** Whether the shell looks for files that match. */
export const isGlob = ({ text, expands }: ShellWord): boolean => expands && /[*?[]/u.test(text)

/** The word itself and what its braces make of it; null: too many. */
export function spellings(word: ShellWord): readonly string[] | null {
  if (!word.expands || !word.text.includes('{')) return [word.text]
  const done = new Set<string>()
  const open = [word.text.replace(HOME_VARIABLE, '~')]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const [whole, inner = ''] = /\{([^{}]*(?:,|\.\.)[^{}]*)\}/u.exec(text) ?? []
    if (whole === undefined) done.add(text)
    else open.push(...inner.split(inner.includes(',') ? ',' : '..').map((part) => text.replace(whole, () => part)))
    if (done.size + open.length > MOST_SPELLINGS) return null
  }
  return [...done, word.text]
}
