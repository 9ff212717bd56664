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
  const finished = finishedBlocks(text.slice(known.doneChars))
  const doneChars = known.doneChars + finished.reduce((sum, token) => sum + token.raw.length, 0)
  return {
    source,
    text,
    done: finished.length === 0 ? known.done : [...known.done, ...finished],
    doneChars,
    open: blocksOf(text.slice(doneChars)),
  }
}

/**
 * Blocks that nothing which may follow can change. The last line may become anything while it is written, and the block before it may go on
 * after an empty line, as lists do: neither is finished.
 */
function finishedBlocks(text: string): readonly Token[] {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1)
  if (lines === '') return []
  const blocks = blocksOf(lines)
  return blocks.slice(
    0,
    Math.max(
      0,
      blocks.findLastIndex((token) => token.type !== 'space'),
    ),
  )
}
