import { absolute, type CommandPlace } from './operand-place.ts'
import { joints } from './shell-words.ts'
import type { SimpleCommand } from './simple-command.ts'

/** Commands of `cd x || exit`. */
export const AHEAD = 2

/**
 * Where the rest of a line runs that begins with `cd x || exit 1;`: in x, or not at all. Null: it does not begin so, or not for certain. Only
 * a plain list by a shell of its own, whose words nobody has given another meaning; x is a folder below, by its plain name.
 */
export function goneAhead(line: string, commands: readonly SimpleCommand[], place: CommandPlace): CommandPlace | null {
  const [going, leaving, next] = commands
  if (place.lasts === true || !going || !leaving || !next || next.behind !== null || next.readsFrom !== null) return null
  const [cd, target, ...more] = going.words
  const isGoing = isAlone(going) && going.behind === null && cd?.text === 'cd' && target !== undefined && more.length === 0
  if (!isGoing || target.expands || !/^\w/u.test(target.text) || target.text.split('/').includes('..')) return null
  const [exit, code, ...others] = leaving.words
  // With two arguments bash says so and goes on.
  const isLeaving = isAlone(leaving) && leaving.behind === '||' && exit?.text === 'exit' && others.length === 0
  if (!isLeaving || (code !== undefined && !/^\d{1,3}$/u.test(code.text))) return null
  const [or, bar, end] = joints(line) ?? []
  if (or === undefined || bar !== or + 1 || end === undefined || line.slice(or, bar + 1) !== '||' || !/[;\n]/u.test(line[end] ?? ''))
    return null
  return { ...place, cwd: absolute(target.text, place) }
}

/** In the shell itself, with nothing put in or taken out. */
function isAlone({ words, writesTo, bodies, strings, readsFrom, isData, isDefinition }: SimpleCommand): boolean {
  const nothing = writesTo.length + bodies.length + strings.length === 0 && readsFrom === null && !isData && !isDefinition
  return nothing && words.every(({ expands }) => !expands)
}
