import type { Token } from 'marked'
import { blocksOf, withPlainBreaks } from './lex.ts'

/** A text that is still being written: `done` are blocks that no later word can change, `open` begins where they end. */
export interface GrowingBlocks {
  readonly source: string
  /** With plain line breaks. */
  readonly text: string
  readonly done: readonly Token[]
  readonly doneChars: number
  readonly open: readonly Token[]
}

export const NO_BLOCKS: GrowingBlocks = { source: '', text: '', done: [], doneChars: 0, open: [] }

/** The blocks after more text has come. Only what lies behind the finished blocks is read again; the objects of those stay the same. */
export function grow(before: GrowingBlocks, source: string): GrowingBlocks {
  const text = withPlainBreaks(source)
  const known = text.startsWith(before.text) ? before : NO_BLOCKS
  const fresh = blocksOf(text.slice(known.doneChars))
  // a list or a table may go on after an empty line, so the last block with words in it stays open together with what follows it
  const openFrom = fresh.findLastIndex((token) => token.type !== 'space')
  const finished = fresh.slice(0, Math.max(0, openFrom))
  return {
    source,
    text,
    done: finished.length === 0 ? known.done : [...known.done, ...finished],
    doneChars: known.doneChars + finished.reduce((sum, token) => sum + token.raw.length, 0),
    open: fresh.slice(Math.max(0, openFrom)),
  }
}
