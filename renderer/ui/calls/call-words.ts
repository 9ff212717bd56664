import type { CallItem } from '../../../shared/session/state.ts'
import { lineOf } from '../../../shared/tools/catalogue.ts'
import { joined } from '../../../shared/tools/spec/call-line.ts'

/** The words of a step's line: the first subject, and how many more there are. */
export interface CallWords {
  readonly verb: string
  readonly subject: string
  readonly rest: string
  /** The subject is a path: if space is short, its middle is left out. */
  readonly isPath: boolean
}

export function wordsOf(call: CallItem): CallWords {
  const { verb, subjects, rest, isPath = false } = lineOf(call)
  const [subject = '', ...more] = subjects
  return { verb, subject, rest: joined([more.length === 0 ? '' : `and ${more.length} more`, rest]), isPath }
}

/** The first line of a command; an ellipsis stands for the other lines. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : `${text.slice(0, end)} …`
}

/** Characters of a program path that fit on the line of a step. */
const PROGRAM_ROOM = 24

/**
 * A command without the middle of its program's absolute path, if that is long: "/opt/…/node --test". For lines that say what happened, never
 * for requests to sign.
 */
export function withShortProgram(command: string): string {
  const [, quote = '', path = '', rest = ''] = /^(["']?)(\/[^\s"']+)\1(.*)$/s.exec(command) ?? []
  if (path.length <= PROGRAM_ROOM) return command
  const folders = path.split('/')
  if (folders.length < 4) return command
  return `${quote}/${folders[1]}/…/${folders.at(-1)}${quote}${rest}`
}
