import { UNTOLD } from './arithmetic.ts'
import { type CommandJudgement, HARMLESS, worse } from './command-judgement.ts'
import { destroys } from './destroys.ts'
import { FOLDER_CHANGERS } from './folder-changers.ts'
import { AHEAD, goneAhead } from './gone-ahead.ts'
import { saysPhysical, steeringOf } from './line-steering.ts'
import { type CommandPlace, liesOutside, pointsOut } from './operand-place.ts'
import { programOf, unwrapped } from './program-words.ts'
import { runsBy, scriptsIn } from './scripts.ts'
import { readings } from './shell-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'
import { isTold } from './spellings.ts'
import { moved, type Where, wheresOf } from './where.ts'
import { type Written, type WrittenFile, writes } from './writes.ts'

/** What cannot be understood may do anything. */
const OPAQUE: Written = { judgement: { ...HARMLESS, destructive: true, beyond: true }, files: [] }
/** Asks, and is no removal: like a program of which nobody sees what it does. */
const RECKONED: Written = { judgement: { ...HARMLESS, beyond: true }, files: [] }
const NOTHING: Written = { judgement: HARMLESS, files: [] }
/** Shells in shells; what lies deeper is opaque. */
const MAX_DEPTH = 8
/**
 * Characters of a line that is judged word by word: no system takes a longer argument (128 KiB on Linux), and what one who wants to hide
 * something puts before it must not hold up the app. A longer one is opaque (C8).
 */
export const MOST_CHARS = 131_072
/** More commands than a line has a use for. */
const MOST_COMMANDS = 2_000

/**
 * Judges a command line by its words (C12, C20). It only ever makes asking stricter: a command in which it finds nothing is asked for
 * like any other where commands are asked for, so a trick that hides something from it gains nothing there.
 */
export function judgeCommand(command: string, place: CommandPlace): CommandJudgement {
  return survey(command, place, { depth: 0, seen: new Set() }).judgement
}

/** The files that a command line names as written; the folder's own, since what lies beyond is asked for by the words alone. */
export function filesWritten(command: string, place: CommandPlace): readonly WrittenFile[] {
  return survey(command, place, { depth: 0, seen: new Set() }).files
}

/** Whether a line that begins outside the folder does nothing there but leave: what else it does runs in the folder for certain. */
export function comesBack(command: string, place: CommandPlace): boolean {
  const [commands = [], ...others] = command.length > MOST_CHARS ? [] : readings(command, true)
  if (commands.length === 0 || others.length > 0 || isForkBomb(command)) return false
  const wheres = wheresOf(commands, place)
  return commands.every((each, at) => {
    const where = wheres[at]
    if (where === undefined) return false
    const { places, isLost } = moved(where, each)
    return onlyMoves(each) || (!isLost && places.every((one) => !liesOutside(one.cwd, one)))
  })
}

function onlyMoves({ words, writesTo, bodies, strings, isData }: SimpleCommand): boolean {
  const [name] = words
  const isPlain = writesTo.length + bodies.length + strings.length === 0 && !isData
  return isPlain && name !== undefined && !name.expands && MOVES.has(name.text)
}

const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'pwd', 'exit', 'true'])

interface Walk {
  readonly depth: number
  /** Lines that have been judged, with their folders: both readings of a line hold the same scripts. */
  readonly seen: Set<string>
}

function survey(command: string, place: CommandPlace, walk: Walk): Written {
  if (walk.depth > MAX_DEPTH || command.length > MOST_CHARS || isForkBomb(command)) return OPAQUE
  const key = `${place.cwd}\0${place.isPhysical === true}\0${command}`
  if (walk.seen.has(key)) return NOTHING
  walk.seen.add(key)
  const lists = readings(command, walk.depth === 0)
  if (lists.some((commands) => commands.length > MOST_COMMANDS)) return OPAQUE
  const [only = [], ...others] = lists
  const ahead = walk.depth === 0 && others.length === 0 ? goneAhead(command, only, place) : null
  if (ahead) return all([...surveyList(only.slice(0, AHEAD), place, walk), ...surveyList(only.slice(AHEAD), ahead, walk)])
  return all(lists.flatMap((commands) => surveyList(commands, place, walk)))
}

function all(several: readonly Written[]): Written {
  return { judgement: several.map(({ judgement }) => judgement).reduce(worse, HARMLESS), files: several.flatMap(({ files }) => files) }
}

function surveyList(commands: readonly SimpleCommand[], place: CommandPlace, walk: Walk): readonly Written[] {
  const leaves = commands.some((each) => changesFolder(each, place))
  const steering = steeringOf(commands)
  const surveyed = wheresOf(commands, place, steering).flatMap((where, at) => {
    const each = commands[at]
    return each ? [surveySimple(each, { where, leaves, walk })] : []
  })
  return place.lasts && steering.outlasts ? [...surveyed, RECKONED] : surveyed
}

interface Standing {
  readonly where: Where
  /** The line goes to another folder. */
  readonly leaves: boolean
  readonly walk: Walk
}

function surveySimple(command: SimpleCommand, standing: Standing): Written {
  const { leaves, walk } = standing
  const where = moved(standing.where, command)
  const words = unwrapped(command.words)
  if (words[0]?.text === `$${UNTOLD}`) return RECKONED
  if (!command.isData && isNameless(words)) return OPAQUE
  const { places, isLost } = where
  const [place] = places
  const ends = places.length > 1 ? [place, places.at(-1) ?? place] : [place]
  const deeper = { ...walk, depth: walk.depth + 1 }
  const started = ends.map((each) => (saysPhysical(words) ? { ...each, isPhysical: true } : each))
  const inner = scriptsIn(command, words).flatMap((script) => started.map((each) => survey(script, each, deeper)))
  const runs = runsBy(command, words).flatMap((each) => runBy(command, each, { where, leaves, walk: deeper }))
  const destroyed = ends.map((each): Written => ({ judgement: destroys(command, words, each, leaves || isLost), files: [] }))
  return all([...inner, ...runs, ...destroyed, ...places.map((each) => writes(command, words, each, isLost))])
}

function runBy(command: SimpleCommand, words: readonly ShellWord[], standing: Standing): readonly Written[] {
  if (standing.walk.depth > MAX_DEPTH) return [OPAQUE]
  const run = { ...command, words, writesTo: [], bodies: [], strings: [], readsFrom: null }
  return [surveySimple(run, standing)]
}

/** Whether the program itself cannot be told: `$x y`, `$(echo rm) y`, `{rm,y}`, `/bin/r?`. */
function isNameless([name]: readonly ShellWord[]): boolean {
  if (name === undefined || !name.expands || name.text === '[' || name.text === '[[') return false
  const program = programOf(name)
  return !isTold({ text: program, expands: true }) || /[*?[]/u.test(program) || name.text.replace(/\$\{[^{}]*\}/gu, '').includes('{')
}

/** Several of them add up, so one that goes upwards may end anywhere. */
function changesFolder(command: SimpleCommand, place: CommandPlace): boolean {
  const [name, target] = unwrapped(command.words)
  if (name === undefined || !FOLDER_CHANGERS.has(programOf(name))) return false
  return target === undefined || target.text === '-' || target.text.split('/').includes('..') || pointsOut(target, place)
}

function isForkBomb(command: string): boolean {
  return /:\s*\(\s*\)\s*\{/u.test(command)
}
