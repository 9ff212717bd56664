import { basename, posix } from 'node:path'
import { DESTROYING_PROGRAMS, INTERPRETERS, SHELLS, WRAPPERS, type Wrapper, destroysByArguments } from './destructive-programs.ts'
import { type ShellWord, type SimpleCommand, simpleCommands } from './shell-words.ts'

export interface CommandJudgement {
  /** May destroy what cannot be brought back: to be signed by holding. */
  readonly destructive: boolean
  /** What it destroys may lie outside the folder in which it runs, or cannot be told. */
  readonly beyond: boolean
  /** The thing that it would remove and that nobody removes by a signature: said in words. Null: none. */
  readonly ruins: string | null
}

export interface CommandPlace {
  readonly cwd: string
  /** Real path of the workspace folder. */
  readonly root: string
  readonly home: string | null
}

const HARMLESS: CommandJudgement = { destructive: false, beyond: false, ruins: null }
/** Shells in shells. What lies deeper cannot be judged. */
const MAX_DEPTH = 8

/**
 * How much a command line may destroy, by what it says (C20). It only makes asking stricter: a command in which it finds nothing
 * is asked for like any other, so a trick that hides something from it gains nothing.
 */
export function judgeCommand(command: string, place: CommandPlace, depth = 0): CommandJudgement {
  if (depth > MAX_DEPTH || /:\s*\(\s*\)\s*\{/u.test(command)) return { destructive: true, beyond: true, ruins: null }
  const commands = simpleCommands(command)
  const leaves = commands.some((each) => changesFolder(each, place))
  return commands.map((each) => judgeSimple(each, place, leaves, depth)).reduce(worse, HARMLESS)
}

function judgeSimple(command: SimpleCommand, place: CommandPlace, leaves: boolean, depth: number): CommandJudgement {
  const words = unwrapped(command.words)
  const [name, ...rest] = words
  const inner = [...nested(command, name, rest), ...splitStrings(command.words)].map((text) => judgeCommand(text, place, depth + 1))
  return [...inner, judgeOwn(command, words, place, leaves)].reduce(worse, HARMLESS)
}

/** Command lines in the arguments: `sh -c '…'`, `eval …`, and here-documents that a shell reads. */
function nested(command: SimpleCommand, name: ShellWord | undefined, rest: readonly ShellWord[]): readonly string[] {
  const substitutions = command.bodies.filter((body) => /\$\(|`/u.test(body))
  if (name === undefined) return substitutions
  const program = programOf(name)
  if (program === 'eval' || program === 'trap') return [rest.map((word) => word.text).join(' '), ...substitutions]
  if (!SHELLS.has(program)) return substitutions
  const at = rest.findIndex((word) => /^-[a-z]*c$/u.test(word.text))
  const script = at < 0 ? undefined : rest[at + 1]
  return [...(script ? [script.text] : []), ...command.bodies]
}

/** `env -S 'rm x'` takes the string apart itself. */
function splitStrings(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ text }, at) => {
    if (text === '-S' || text === '--split-string') return [words[at + 1]?.text ?? '']
    return /^(?:-S|--split-string=)(?<line>.+)$/su.exec(text)?.groups?.['line'] ?? []
  })
}

function judgeOwn(command: SimpleCommand, words: readonly ShellWord[], place: CommandPlace, leaves: boolean): CommandJudgement {
  const [name, ...rest] = words
  const emptied = name === undefined || name.text === ':' ? command.writesTo.filter((word) => !word.text.startsWith('/dev/')) : []
  if (emptied.length > 0) return { destructive: true, beyond: leaves || emptied.some((word) => pointsOut(word, place)), ruins: null }
  if (name === undefined) return HARMLESS
  const program = programOf(name)
  const texts = rest.map((word) => word.text)
  const outcome = DESTROYING_PROGRAMS.has(program) ? 'files' : destroysByArguments(program, texts)
  if (outcome === null)
    return INTERPRETERS.has(program) && texts.some(removesByScript) ? { ...HARMLESS, destructive: true, beyond: true } : HARMLESS
  const sudo = command.words.length > words.length && command.words.some((word) => ['sudo', 'doas'].includes(programOf(word)))
  const beyond = outcome === 'elsewhere' || sudo || leaves || rest.some((word) => pointsOut(word, place))
  const ruins = REMOVERS.has(program) ? (rest.map((word) => ruinOf(word, place)).find((found) => found !== null) ?? null) : null
  return { destructive: true, beyond, ruins }
}

const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'wipe', 'del', 'rd', 'erase'])

/** Without assignments, reserved words and the programs that start the one behind them. */
function unwrapped(words: readonly ShellWord[]): readonly ShellWord[] {
  let rest = words
  for (;;) {
    const [word] = rest
    if (word === undefined) return []
    const wrapper = WRAPPERS.get(programOf(word))
    if (isAssignment(word)) rest = rest.slice(1)
    else if (wrapper) rest = behindOptions(rest.slice(1), wrapper)
    else return rest
  }
}

function behindOptions(words: readonly ShellWord[], { operands, valued }: Wrapper): readonly ShellWord[] {
  let at = 0
  let left = operands
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const option = /^-[a-zA-Z]*([a-zA-Z])$/u.exec(word.text)?.[1]
    if (option !== undefined) at += valued.includes(option) ? 2 : 1
    else if (word.text.startsWith('-') || isAssignment(word)) at++
    else if (left-- > 0) at++
    else break
  }
  return words.slice(at)
}

const isAssignment = ({ text }: ShellWord): boolean => /^\w+\+?=/u.test(text)

function programOf(word: ShellWord): string {
  return basename(word.text.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/u, '')
}

/** Several of them add up, so one that goes upwards may end anywhere. */
function changesFolder(command: SimpleCommand, place: CommandPlace): boolean {
  const [name, target] = unwrapped(command.words)
  if (name === undefined || !['cd', 'pushd', 'popd'].includes(programOf(name))) return false
  return target === undefined || target.text === '-' || target.text.split('/').includes('..') || pointsOut(target, place)
}

/** Whether an operand may lie outside the folder: absolute elsewhere, upwards, at home, or not to be told before the shell has run. */
function pointsOut(word: ShellWord, { cwd, root }: CommandPlace): boolean {
  const { text } = word
  if (text.startsWith('-') && !text.includes('=')) return false
  if (word.expands && text.includes('$')) return true
  if (word.expands && text === '') return true
  const path = text.replace(/^[\w-]+=/u, '')
  if (path.startsWith('~')) return true
  const way = posix.relative(root, posix.resolve(cwd, path))
  return way === '..' || way.startsWith('../')
}

/** The folder, the home folder, the file system or git's data as an operand, whole or by `/*`. */
function ruinOf(word: ShellWord, { cwd, root, home }: CommandPlace): string | null {
  const text = word.text.replace(/\$\{?HOME\}?/gu, '~')
  if (text === '' || text.startsWith('-')) return null
  const atHome = home === null ? text : text.replace(/^~(?=\/|$)/u, home)
  if (home === null && /^~\/?\*?$/u.test(text)) return 'the home folder'
  const path = posix.resolve(
    cwd,
    atHome.replace(/\/?(?:\.\*|\*|\{,\.\}\*)$/u, (glob) => (glob.startsWith('/') ? '/' : '.')),
  )
  if (path === '/') return 'the whole file system'
  if (path === home) return 'the home folder'
  if (path === root) return 'the whole folder of this session'
  if (posix.basename(path).toLowerCase() === '.git') return "git's data, and with it the history"
  return null
}

function removesByScript(text: string): boolean {
  return /rmtree|rmsync|\brm\s*\(|unlink|os\.remove|removedirs|rimraf|remove_dir|deleteSync|\bsystem\b|subprocess|exec/iu.test(text)
}

function worse(a: CommandJudgement, b: CommandJudgement): CommandJudgement {
  return { destructive: a.destructive || b.destructive, beyond: a.beyond || b.beyond, ruins: a.ruins ?? b.ruins }
}
