import type { CommandPart } from '../../shared/session/effects.ts'
import type { CommandJudgement } from './command-judgement.ts'
import { judgeCommand } from './judge-command.ts'
import type { CommandPlace } from './operand-place.ts'

/** Of a longer line only the whole is judged: each part costs four looks at what lies before it. */
const MOST_PARTS = 24
const MOST_CHARS = 4_000
/** What decides where the parts behind it run. */
const MOVES = /^(?:cd|pushd|popd)(?=$|\s)/u

/**
 * The parts of a line, each with why it is asked for where that is its own doing: judged by itself behind the moves in front of it, or the
 * first with which the line so far is judged so. Only shown: the line is judged as a whole.
 */
export function withNotes(parts: readonly CommandPart[], place: CommandPlace): readonly CommandPart[] {
  if (parts.length > MOST_PARTS || lineOf(parts).length > MOST_CHARS) return parts
  const judge = (some: readonly CommandPart[]): CommandJudgement => judgeCommand(lineOf(some), place)
  return parts.map((part, at) => {
    const before = parts.slice(0, at)
    const moves = before.filter(({ text }) => MOVES.test(text))
    const own = added(judge(moves), judge([...moves.map(joined), joined(part)]))
    const note = noteOf(own) ?? noteOf(added(judge(before), judge([...before, part])))
    return note === null ? part : { ...part, note }
  })
}

const joined = ({ text }: CommandPart): CommandPart => ({ operator: '&&', text })

function lineOf(parts: readonly CommandPart[]): string {
  return parts.map(({ operator, text }, at) => (at === 0 ? text : `${operator || '\n'} ${text}`)).join(' ')
}

/** What a judgement has that an earlier one had not. */
function added(before: CommandJudgement, after: CommandJudgement): CommandJudgement {
  return {
    destructive: after.destructive && !before.destructive,
    beyond: after.beyond && !before.beyond,
    control: before.control === null ? after.control : null,
    ruins: null,
  }
}

function noteOf({ destructive, beyond, control }: CommandJudgement): string | null {
  if (destructive) return beyond ? 'may delete data outside the folder' : 'may delete data'
  if (control !== null) return `writes ${control}`
  return beyond ? 'may reach outside the folder' : null
}
