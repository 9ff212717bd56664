import { type CommandJudgement, HARMLESS, worse } from './command-judgement.ts'
import { destroys } from './destroys.ts'
import { type CommandPlace, pointsOut } from './operand-place.ts'
import { SHELLS, programOf, unwrapped } from './program-words.ts'
import { type ShellWord, type SimpleCommand, simpleCommands } from './shell-words.ts'
import { writes } from './writes.ts'

/** What cannot be understood may do anything. */
const OPAQUE: CommandJudgement = { ...HARMLESS, destructive: true, beyond: true }
/** Shells in shells; what lies deeper is opaque. */
const MAX_DEPTH = 8

/**
 * Judges a command line by its words (C12, C20). It only ever makes asking stricter: a command in which it finds nothing is asked for
 * like any other where commands are asked for, so a trick that hides something from it gains nothing there.
 */
export function judgeCommand(command: string, place: CommandPlace, depth = 0): CommandJudgement {
  if (depth > MAX_DEPTH || isForkBomb(command)) return OPAQUE
  const commands = simpleCommands(command)
  const leaves = commands.some((each) => changesFolder(each, place))
  return commands.map((each) => judgeSimple(each, place, leaves, depth)).reduce(worse, HARMLESS)
}

function judgeSimple(command: SimpleCommand, place: CommandPlace, leaves: boolean, depth: number): CommandJudgement {
  const words = unwrapped(command.words)
  const scripts = [...scriptsIn(command, words), ...splitStrings(command.words)]
  const inner = scripts.map((script) => judgeCommand(script, place, depth + 1))
  return [...inner, destroys(command, words, place, leaves), writes(command, words, place)].reduce(worse, HARMLESS)
}

/** Command lines in the arguments: `sh -c '…'`, `eval …`, and here-documents that a shell reads or expands. */
function scriptsIn({ bodies }: SimpleCommand, [name, ...rest]: readonly ShellWord[]): readonly string[] {
  const expanded = bodies.filter((body) => /\$\(|`/u.test(body))
  const program = name === undefined ? '' : programOf(name)
  if (program === 'eval' || program === 'trap') return [rest.map((word) => word.text).join(' '), ...expanded]
  if (!SHELLS.has(program)) return expanded
  const at = rest.findIndex((word) => /^-[a-z]*c$/u.test(word.text))
  const script = at < 0 ? undefined : rest[at + 1]
  return [...(script ? [script.text] : []), ...bodies]
}

/** `env -S 'rm x'` takes the string apart itself. */
function splitStrings(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ text }, at) => {
    if (text === '-S' || text === '--split-string') return [words[at + 1]?.text ?? '']
    return /^(?:-S|--split-string=)(?<line>.+)$/su.exec(text)?.groups?.['line'] ?? []
  })
}

/** Several of them add up, so one that goes upwards may end anywhere. */
function changesFolder(command: SimpleCommand, place: CommandPlace): boolean {
  const [name, target] = unwrapped(command.words)
  if (name === undefined || !['cd', 'pushd', 'popd'].includes(programOf(name))) return false
  return target === undefined || target.text === '-' || target.text.split('/').includes('..') || pointsOut(target, place)
}

function isForkBomb(command: string): boolean {
  return /:\s*\(\s*\)\s*\{/u.test(command)
}
