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
