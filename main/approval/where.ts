import { absolute, type CommandPlace } from './operand-place.ts'
import { folderWords, programOf, unwrapped } from './program-words.ts'
import type { SimpleCommand } from './simple-command.ts'
import { isTold } from './spellings.ts'

/** The folders in which the next command of a line may run: where the line began and every one that it goes to, since a `cd` may fail. */
export interface Where {
  readonly places: readonly [CommandPlace, ...CommandPlace[]]
  /** It went where its words do not tell. */
  readonly isLost: boolean
  /** Where a command runs that only runs if the one before it went well; null: not to be told. */
  readonly sure: CommandPlace | null
}

export const FOLDER_CHANGERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'chdir'])

/** More `cd`s than a line has a use for. */
const MOST_PLACES = 8

export const whereBegun = (place: CommandPlace): Where => ({ places: [place], isLost: false, sure: null })

/** What of it holds for this command: behind `cd x &&` nothing runs but in x. */
export function whereFor({ behind }: SimpleCommand, where: Where): Where {
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
export function after(command: SimpleCommand, where: Where): Where {
  const { places, isLost } = whereFor(command, where)
  const here = places.length === 1 && !isLost ? places[0] : null
  const [name, ...rest] = unwrapped(command.words)
  if (name === undefined || !FOLDER_CHANGERS.has(programOf(name))) return { ...where, sure: here }
  const target = rest.find(({ text }) => !/^-[LPe@n]+$|^--$/u.test(text))
  const last = places.at(-1) ?? places[0]
  const isTarget = target !== undefined && (!target.expands || /^~(?:\/|$)/u.test(target.text)) && !/^[-+]/u.test(target.text)
  const isKnown = isTarget && programOf(name) !== 'popd'
  if (!isKnown || where.places.length >= MOST_PLACES) return { ...where, isLost: true, sure: null }
  const goal = { ...last, cwd: absolute(target.text, last) }
  const isCertain = isBare(command) && (here !== null || /^[/~]/u.test(target.text))
  return { ...where, places: [...where.places, goal], sure: isCertain ? goal : null }
}

/** Nothing but the going itself, in the shell itself: not turned round, not in a pipe, not left out, no word of another grammar before it. */
function isBare({ words, readsFrom, isData, behind }: SimpleCommand): boolean {
  const [name, ...rest] = words
  return readsFrom === null && behind !== '||' && !isData && (name?.text === 'cd' || name?.text === 'pushd') && rest.length === 1
}
