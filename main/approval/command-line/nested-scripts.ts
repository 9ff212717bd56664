import { isCalled, programOf, SHELLS, startsOf } from './started-programs.ts'
import type { Run } from './program-run.ts'
import type { CommandWord } from './command-word.ts'

/**
 * The command lines that a command passes to a shell in its text: `bash -c '…'`, `eval …`, `trap '…' EXIT`, a here-document. Null: it
 * hands over something that is known only at run time. The name of a script file is read as a line too, which finds nothing.
 */
export function scriptsOf(run: Run): readonly string[] | null {
  return allOf(startsOf(run.words).map((words) => scriptsBy(words, run)))
}

/** The command lines that a shell reads from the commands before it in the pipe, as far as those print their own words. */
export function pipedScripts({ words, input }: Run): readonly string[] | null {
  const reads = startsOf(words).some(([program, ...args]) => isShell(program) && operandsOf(args).length === 0)
  return reads ? told(input, (all) => all.map((each) => each.replaceAll('\\n', '\n'))) : []
}

/** What a command prints of its own words, and of its here-strings. */
export function printedBy({ words, input }: Run): readonly CommandWord[] {
  const [program, ...args] = words
  const own = ['echo', 'printf'].includes(programOf(program) ?? '') ? args : programOf(program) === 'find' ? (foundRoots(args) ?? []) : []
  return [...input, ...own]
}

/** The folders of which `find` takes everything; null: it picks some of it. */
export function foundRoots(args: readonly CommandWord[]): readonly CommandWord[] | null {
  const picks = args.some(
    ({ text }, at) =>
      /^-(?:i?name|i?path|i?regex|newer.*|[mac]time|[mac]min|size|empty|user|perm)$/u.test(text) && args[at + 1]?.text !== '*',
  )
  const first = args.findIndex(({ text }) => /^[-(!]/u.test(text))
  const roots = first < 0 ? args : args.slice(0, first)
  return picks ? null : roots.length > 0 ? roots : [{ text: '.', kind: 'literal' }]
}

function scriptsBy(words: readonly CommandWord[], { bodies, input }: Run): readonly string[] | null {
  const [program, ...args] = words
  if (isCalled(program, 'eval')) return told(args, (all) => [all.join(' ')])
  if (isCalled(program, 'trap')) return told(args.slice(0, 1), (all) => all)
  if (isCalled(program, 'env')) return splitString(args)
  if (isCalled(program, 'git')) return gitScripts(args)
  if (!isShell(program)) return []
  return allOf([told(operandsOf(args), (all) => all), told(input, (all) => all), bodies])
}

const allOf = (scripts: readonly (readonly string[] | null)[]): readonly string[] | null =>
  scripts.includes(null) ? null : scripts.flatMap((each) => each ?? [])

const operandsOf = (args: readonly CommandWord[]): readonly CommandWord[] => args.filter(({ text }) => !/^[-+]/u.test(text))

const isShell = (word: CommandWord | undefined): boolean => SHELLS.has(programOf(word) ?? '')

/** `git rebase -x '…'`, `git submodule foreach '…'`. */
function gitScripts(args: readonly CommandWord[]): readonly string[] | null {
  const options = args
    .filter(({ text }) => text.startsWith('--exec='))
    .map((word) => ({ ...word, text: word.text.slice('--exec='.length) }))
  const behind = args.filter((_, at) => ['-x', '--exec', 'foreach', '--recursive'].includes(args[at - 1]?.text ?? ''))
  return told([...options, ...behind], (all) => all)
}

/** `env -S 'program …'`. */
function splitString(args: readonly CommandWord[]): readonly string[] | null {
  const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z]*S|--split-string)/u.test(text))
  const option = args[at]
  if (option === undefined) return []
  const rest = option.text.replace(/^(?:-[a-zA-Z]*?S|--split-string)=?/u, '')
  return told(rest === '' ? args.slice(at + 1, at + 2) : [{ ...option, text: rest }], (all) => all)
}

function told(words: readonly CommandWord[], make: (texts: readonly string[]) => readonly string[]): readonly string[] | null {
  if (words.some(({ kind }) => kind !== 'literal')) return null
  return words.length === 0 ? [] : make(words.map(({ text }) => text))
}
