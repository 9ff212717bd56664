import { commandsOfFind, foundBy } from './find-words.ts'
import { gitScripts } from './git-words.ts'
import { programOf, SHELLS, unwrapped, wrappersOf } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'

/** Command lines in what a command is given: `sh -c '…'`, `eval …`, aliases of git, and what a shell reads or expands. */
export function scriptsIn(command: SimpleCommand, words: readonly ShellWord[]): readonly string[] {
  const { bodies, strings } = command
  const [name, ...rest] = words
  const expanded = bodies.filter((body) => /\$\(|`/u.test(body))
  const program = name === undefined ? '' : programOf(name)
  const split = splitStrings(command.words)
  if (program === 'eval' || program === 'trap') return [rest.map((word) => word.text).join(' '), ...expanded, ...split]
  if (program === 'git') return [...gitScripts(rest), ...expanded, ...split]
  if (!SHELLS.has(program)) return [...expanded, ...split]
  const read = [...bodies, ...strings.map(({ text }) => text), ...saidBy(command.readsFrom)]
  return [...scriptOf(rest), ...read, ...split]
}

/** The word behind `-c` and whatever options follow it. */
function scriptOf(words: readonly ShellWord[]): readonly string[] {
  const at = words.findIndex(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/u.test(text))
  const script = at < 0 ? undefined : words.slice(at + 1).find(({ text }) => !/^[-+]/u.test(text))
  return script ? [script.text] : []
}

/** What `echo` and `printf` write for a shell to read. */
function saidBy(before: SimpleCommand | null): readonly string[] {
  const [name, ...rest] = before === null ? [] : unwrapped(before.words)
  const program = name === undefined ? '' : programOf(name)
  if (program === 'cat') return (before?.bodies ?? []).concat(before?.strings.map(({ text }) => text) ?? [])
  if (program !== 'echo' && program !== 'printf') return []
  const said = rest.filter(({ text }) => !/^-[neE]+$/u.test(text)).map(({ text }) => text.replaceAll('\\n', '\n'))
  return [said.join(' '), ...(program === 'printf' ? said : [])]
}

/** `env -S 'rm x'` takes the string apart itself. */
function splitStrings(words: readonly ShellWord[]): readonly string[] {
  if (!wrappersOf(words).includes('env')) return []
  return words.flatMap(({ text }, at) => {
    if (/^-[a-zA-Z]*S$/u.test(text) || text === '--split-string') return [words[at + 1]?.text ?? '']
    return /^(?:-[a-zA-Z]*?S|--split-string=)(?<line>.+)$/su.exec(text)?.groups?.['line'] ?? []
  })
}

/** The commands that a command runs with words which it finds: `find -exec`, `xargs`. */
export function runsBy(command: SimpleCommand, words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const [name, ...rest] = words
  if (name === undefined) return []
  const found = wrappersOf(command.words).some((each) => each === 'xargs' || each === 'parallel') ? givenTo(command.readsFrom) : []
  const given = found.length > 0 ? [[...words, ...found]] : []
  return programOf(name) === 'find' ? [...given, ...commandsOfFind(rest)] : given
}

const UNTOLD: readonly ShellWord[] = [{ text: '$()', expands: true }]

/** Programs that pass on lines as they are. */
const PASSES_ON: ReadonlySet<string> = new Set(['grep', 'egrep', 'rg', 'head', 'tail', 'sort', 'uniq', 'tac', 'shuf'])

function givenTo(before: SimpleCommand | null): readonly ShellWord[] {
  let source = before
  while (source?.readsFrom && PASSES_ON.has(programOf(unwrapped(source.words)[0] ?? { text: '', expands: false })))
    source = source.readsFrom
  return (source && foundBy(unwrapped(source.words))) ?? UNTOLD
}
