import type { Redactor } from '../../../main/agent/ports/redactor.ts'

export const NO_REDACTOR: Redactor = { text: (text) => text, losesSecret: () => false, stream: (sink) => ({ write: sink, end: () => {} }) }
