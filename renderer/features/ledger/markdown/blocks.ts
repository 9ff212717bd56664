import type { Token } from 'marked'
import { type Outline, setLevels } from './headings.ts'
import { blocksOf, withPlainBreaks } from './lex.ts'

/** So many finished blocks are drawn as one: a new block then costs no look at all the others. */
const CHUNK = 64

/** A text that may still be written: blocks that no later word can change, in whole chunks and the rest; behind them those that are open. */
export interface GrowingBlocks {
  readonly source: string
  /** With plain line breaks. */
  readonly text: string
  readonly chunks: readonly (readonly Token[])[]
  readonly rest: readonly Token[]
  /** Characters of both together: here the open ones begin. */
  readonly doneChars: number
  /** Of the headings in both. */
  readonly outline: Outline
  readonly open: readonly Token[]
}

export const NO_BLOCKS: GrowingBlocks = { source: '', text: '', chunks: [], rest: [], doneChars: 0, outline: [], open: [] }

/** The blocks after more text has come. Only what lies behind the finished blocks is read again; the objects of those stay the same. */
export function grow(before: GrowingBlocks, source: string): GrowingBlocks {
  const text = withPlainBreaks(source)
  const known = text.startsWith(before.text) ? before : NO_BLOCKS
  const finished = finishedBlocks(text.slice(known.doneChars))
  const outline = setLevels(finished, known.outline)
  const doneChars = known.doneChars + finished.reduce((sum, token) => sum + token.raw.length, 0)
  const rest = finished.length === 0 ? known.rest : [...known.rest, ...finished]
  const whole = rest.length - (rest.length % CHUNK)
  const chunks = Array.from({ length: whole / CHUNK }, (_, index) => rest.slice(index * CHUNK, (index + 1) * CHUNK))
  const open = blocksOf(text.slice(doneChars))
  setLevels(open, outline)
  return {
    source,
    text,
    chunks: chunks.length === 0 ? known.chunks : [...known.chunks, ...chunks],
    rest: whole === 0 ? rest : rest.slice(whole),
    doneChars,
    outline,
    open,
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
