import { posix } from 'node:path'
import { programOf } from './program-words.ts'
import type { ShellWord } from './simple-command.ts'

/** Tests that leave something out. */
const LEAVES_OUT =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|newer\S*|[acm](?:min|time)|size|empty|user|group|perm|inum|links|samefile|uid|gid|executable|readable|writable|nouser|nogroup|used)$/u
const NEGATIONS: ReadonlySet<string> = new Set(['!', '-not'])
const ALTERNATIVES: ReadonlySet<string> = new Set(['-o', '-or', ','])
const RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** The commands that `find` runs or amounts to, over words that stand for what it finds. */
export function commandsOfFind(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  return words.flatMap((word, at) => {
    if (word.text === '-delete') return [[literal('rm'), literal('-rf'), ...foundAt(words, at)]]
    if (!RUNS.has(word.text)) return []
    const end = words.findIndex(({ text }, index) => index > at && (text === ';' || text === '+'))
    const command = words.slice(at + 1, end < 0 ? undefined : end)
    const found = foundAt(words, at)
    return [command.flatMap((each) => (each.text.includes('{}') ? found.map(({ text }) => filled(each, text)) : [each]))]
  })
}

/** The files into which it prints. */
export function writtenByFind(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.flatMap((_, at) => (/^-f(?:print0?|printf|ls)$/u.test(words[at - 1]?.text ?? '') ? (words[at] ?? []) : []))
}

/** Programs that name files below the folders which they are given. */
const LISTERS: ReadonlySet<string> = new Set(['find', 'fd', 'ls', 'rg', 'grep', 'egrep', 'ag', 'git'])

/** What `xargs` gets from the command before it, as words; null: it cannot be told. */
export function foundBy([name, ...rest]: readonly ShellWord[]): readonly ShellWord[] | null {
  if (name === undefined) return null
  const program = programOf(name)
  if (program === 'echo' || program === 'printf') return rest.flatMap((word) => split(word))
  if (!LISTERS.has(program)) return null
  if (program === 'find') return foundAt(rest, rest.length)
  const operands = rest.filter(({ text }) => !text.startsWith('-'))
  if (program === 'ls') return operands.length > 0 ? operands.map(({ text }) => glob(posix.join(text, '*'))) : [glob('*')]
  // Of a search the folder is its last operand; what it finds is some of what lies there.
  const folder = operands.length > 1 && program !== 'git' ? (operands.at(-1)?.text ?? '.') : '.'
  return [operands.at(-1)?.text.includes('$') ? { text: '$()', expands: true } : literal(posix.join(folder, 'found'))]
}

const literal = (text: string): ShellWord => ({ text, expands: false })
const glob = (text: string): ShellWord => ({ text, expands: true })
const filled = (word: ShellWord, found: string): ShellWord => ({ text: word.text.replaceAll('{}', () => found), expands: true })
const split = ({ text, expands }: ShellWord): readonly ShellWord[] =>
  text.split(/\s+|\\[n0]/u).flatMap((part) => (part === '' ? [] : [{ text: part, expands }]))

/** What comes to the action at a place: whole roots and all in them where nothing is left out, else names in them. */
function foundAt(words: readonly ShellWord[], at: number): readonly ShellWord[] {
  const begin = words.findIndex(({ text }) => /^(?:-(?![HLPO])|[!(),]$)/u.test(text))
  const named = words.slice(0, begin < 0 ? words.length : begin).filter(({ text }) => !text.startsWith('-'))
  const roots = named.length > 0 ? named : [literal('.')]
  const tests = alternativeOf(words.slice(begin < 0 ? words.length : begin), at - begin)
  const isPositive = (index: number): boolean => LEAVES_OUT.test(tests[index]?.text ?? '') && !NEGATIONS.has(tests[index - 1]?.text ?? '')
  const positive = tests.flatMap((_, index) => (isPositive(index) ? [index] : []))
  const patterns = positive.filter((index) => /^-i?name$/u.test(tests[index]?.text ?? '')).flatMap((index) => tests[index + 1] ?? [])
  const meansAll = patterns.some(({ text }) => /^[.*?]*\*$/u.test(text))
  const alternatives = tests.filter(({ text }) => ALTERNATIVES.has(text)).length
  if (meansAll || positive.length <= alternatives) return roots.flatMap(({ text, expands }) => [{ text, expands }, glob(`${text}/*`)])
  const names = patterns.length > 0 ? patterns : [literal('found')]
  const paths = positive
    .filter((index) => /^-i?(?:path|wholename)$/u.test(tests[index]?.text ?? ''))
    .flatMap((index) => tests[index + 1] ?? [])
  return [...roots.flatMap((root) => names.map((name) => glob(`${root.text}/${name.text}`))), ...paths.map(({ text }) => glob(text))]
}

/** The tests before an action that are joined to it, those in parentheses included. */
function alternativeOf(words: readonly ShellWord[], end: number): readonly ShellWord[] {
  let depth = 0
  let from = 0
  for (const [at, { text }] of words.slice(0, end).entries()) {
    if (text === '(') depth++
    else if (text === ')') depth--
    else if (depth <= 0 && ALTERNATIVES.has(text)) from = at + 1
  }
  return words.slice(from, end)
}
