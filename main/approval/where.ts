import { FOLDER_CHANGERS, folderOperand, hasFixedStart, isFixed, isPhysicalMove } from './folder-changers.ts'
import { steeringOf } from './line-steering.ts'
import { absolute, type CommandPlace } from './operand-place.ts'
import { folderWords, programOf, unwrapped } from './program-words.ts'
import type { SimpleCommand } from './simple-command.ts'
import { isTold } from './spellings.ts'
import { stayingOf } from './stays-put.ts'

/** The folders in which the next command of a line may run: where the line began and every one that it goes to, since a `cd` may fail. */
export interface Where {
  readonly places: readonly [CommandPlace, ...CommandPlace[]]
  /** It went where its words do not tell. */
  readonly isLost: boolean
  /** Where a command runs that only runs if the one before it went well; null: not to be told. */
  readonly sure: CommandPlace | null
  /** What ran before may have moved the shell, or changed what its words mean, unseen. */
  readonly isSteered: boolean
}

/** More `cd`s than a line has a use for. */
const MOST_PLACES = 8

/** Where each command of a line runs, before its own words move it (`moved`). */
export function wheresOf(commands: readonly SimpleCommand[], place: CommandPlace, steering = steeringOf(commands)): readonly Where[] {
  let where: Where = { places: [place], isLost: false, sure: null, isSteered: false }
  return commands.map((command, at) => {
    if (at >= steering.lostFrom) where = { ...where, isLost: true, sure: null }
    const here = whereFor(command, where)
    where = after(command, where, place.isPhysical === true || steering.isPhysical)
    return here
  })
}

/** What of it holds for this command: behind `cd x &&` nothing runs but in x. */
function whereFor({ behind }: SimpleCommand, where: Where): Where {
  return behind === '&&' && where.sure ? { ...where, places: [where.sure], isLost: false } : where
}

/** Into the folder in which a command runs by its own words, as `env -C` and `git -C` say it. */
export function moved(where: Where, { words }: SimpleCommand): Where {
  return folderWords(words).reduce<Where>(({ places: [first, ...others], isLost }, word) => {
    const into = (place: CommandPlace): CommandPlace => ({ ...place, cwd: absolute(word.text, place) })
    return { ...where, places: [into(first), ...others.map(into)], isLost: isLost || !isTold(word) }
  }, where)
}

/** Where the line may stand behind a command. */
function after(command: SimpleCommand, where: Where, isPhysical: boolean): Where {
  const { places, isLost } = whereFor(command, where)
  const here = places.length === 1 && !isLost ? places[0] : null
  const [name] = unwrapped(command.words)
  if (name === undefined || !FOLDER_CHANGERS.has(programOf(name))) return behindOther(command, where, here)
  const target = folderOperand(command)
  const last = places.at(-1) ?? places[0]
  const isTarget = target !== undefined && (!target.expands || /^~(?:\/|$)/u.test(target.text)) && !/^[-+]/u.test(target.text)
  const climbs = target?.text.split('/').includes('..') && (isPhysical || isPhysicalMove(command))
  const isKnown = isTarget && !climbs && programOf(name) !== 'popd'
  if (!isKnown || where.places.length >= MOST_PLACES) return { ...where, isLost: true, sure: null }
  const goal = { ...last, cwd: absolute(target.text, last) }
  const isHere = here !== null && !where.isSteered && (!last.lasts || hasFixedStart(target))
  return { ...where, places: [...where.places, goal], sure: isBare(command) && (isHere || isFixed(target)) ? goal : null }
}

/** Behind what is no word for going: the shell stands where it stood only where that is sure of it. */
function behindOther(command: SimpleCommand, where: Where, here: CommandPlace | null): Where {
  const staying = stayingOf(command)
  const isSteered = where.isSteered || staying === 'moved' || (staying === 'unknown' && where.places[0].lasts === true)
  return { ...where, isSteered, sure: staying === 'put' ? here : null }
}

/** Nothing but the going itself, in the shell itself: not turned round, not in a pipe, not left out, no word of another grammar before it. */
function isBare({ words, readsFrom, isData, behind }: SimpleCommand): boolean {
  const [name, ...rest] = words
  return readsFrom === null && behind !== '||' && !isData && (name?.text === 'cd' || name?.text === 'pushd') && rest.length === 1
}
