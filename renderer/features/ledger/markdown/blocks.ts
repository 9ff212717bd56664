import { Lexer, type Token } from 'marked'
import { type Outline, setLevels } from './headings.ts'

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

/** A single answer longer than this is shown as it came; 500 000 characters of prose lex in about 100 ms. */
const LONGEST = 500_000
/** Emphasis costs the square of its marks: a paragraph with more is shown without (200 cost 3 ms, 40 000 would cost half a minute). */
const MOST_MARKS = 200
/** Lists and quotes cost the cube of their depth: what is nested deeper is shown as it came. */
const TOO_DEEP = /^(?:[ \t]{40,}(?:[>*+-]|\d{1,9}[.)])|(?:> ?){20}|(?:[*+-] ){20}|(?:\d{1,9}[.)] ){20})/m
const FENCED = /^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1/gm

/** The blocks of a text, whatever is in it: nobody's text stops the desk or breaks it (a model repeats what it has read). */
export function blocksOf(source: string): Token[] {
  const text = withPlainBreaks(source)
  if (text.length > LONGEST || TOO_DEEP.test(text.replaceAll(FENCED, ''))) return [asItCame(text)]
  try {
    return lex(text)
  } catch {
    return [asItCame(text)]
  }
}

/** Every line break as one character, so that blocks can be found again by their length. */
function withPlainBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

const asItCame = (text: string): Token => ({ type: 'code', raw: text, text })

function lex(text: string): Token[] {
  const lexer = new Lexer()
  lexer.blockTokens(text, lexer.tokens)
  for (const { src, tokens } of lexer.inlineQueue) {
    if (marksIn(src) > MOST_MARKS) tokens.push({ type: 'text', raw: src, text: src })
    else lexer.inlineTokens(src, tokens)
  }
  return lexer.tokens
}

function marksIn(text: string): number {
  let marks = 0
  for (const character of text) if (character === '*' || character === '_' || character === '~') marks++
  return marks
}
