import type { Redactor } from '../agent/ports/redactor.ts'

/** Leaves all output as it is. */
export const NOTHING_HIDDEN: Redactor = {
  text: (text) => text,
  losesSecret: () => false,
  stream: (emit) => ({ write: emit, end: () => {} }),
}
