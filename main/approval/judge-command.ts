import { type CommandJudgement, HARMLESS, worse } from './command-judgement.ts'
import { destroys } from './destroys.ts'
import { absolute, type CommandPlace, pointsOut } from './operand-place.ts'
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
  let where: Where = { places: [place], isLost: false }
  let judgement = HARMLESS
  for (const each of commands) {
    judgement = worse(judgement, judgeSimple(each, where, leaves, depth))
    where = after(each, where)
  }
  return judgement
}

/** The folders in which the next command of a line may run: where the line began and every one that it goes to, since a `cd` may fail. */
interface Where {
  readonly places: readonly [CommandPlace, ...CommandPlace[]]
  /** It went where its words do not tell. */
  readonly isLost: boolean
}

function judgeSimple(command: SimpleCommand, { places, isLost }: Where, leaves: boolean, depth: number): CommandJudgement {
  const words = unwrapped(command.words)
  const [place] = places
  const scripts = [...scriptsIn(command, words), ...splitStrings(command.words)]
  const ends = places.length > 1 ? [place, places.at(-1) ?? place] : [place]
  const inner = scripts.flatMap((script) => ends.map((each) => judgeCommand(script, each, depth + 1)))
  const written = places.map((each) => writes(command, words, each, isLost))
  return [...inner, destroys(command, words, place, leaves), ...written].reduce(worse, HARMLESS)
}

/** More `cd`s than a line has a use for. */
const MOST_PLACES = 8

function after({ words }: SimpleCommand, where: Where): Where {
  const [name, ...rest] = unwrapped(words)
  if (name === undefined || !FOLDER_CHANGERS.has(programOf(name))) return where
  const target = rest.find(({ text }) => !/^-[LPe@n]+$|^--$/u.test(text))
  const here = where.places.at(-1) ?? where.places[0]
  const isTold = target !== undefined && !target.expands && !/^[-+]/u.test(target.text) && programOf(name) !== 'popd'
  if (!isTold || where.places.length >= MOST_PLACES) return { ...where, isLost: true }
  return { ...where, places: [...where.places, { ...here, cwd: absolute(target.text, here) }] }
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

const FOLDER_CHANGERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'chdir'])

/** Several of them add up, so one that goes upwards may end anywhere. */
function changesFolder(command: SimpleCommand, place: CommandPlace): boolean {
  const [name, target] = unwrapped(command.words)
  if (name === undefined || !FOLDER_CHANGERS.has(programOf(name))) return false
  return target === undefined || target.text === '-' || target.text.split('/').includes('..') || pointsOut(target, place)
}

function isForkBomb(command: string): boolean {
  return /:\s*\(\s*\)\s*\{/u.test(command)
}
