import { Lexer, type Token, type Tokens } from 'marked'

/** Heading levels in an answer. The page title has level 1 and the user's message level 2. */
type HeadingLevel = 3 | 4 | 5 | 6

/** Depths (1 to 6, as written) of the open headings, outermost first. */
type Outline = readonly number[]

const LEVELS = new WeakMap<Token, HeadingLevel>()

/** Finished blocks are rendered in chunks of this size, so that not all of them are compared when a new block is added. */
const CHUNK = 64

/** Number of chunks per section. Only sections near the window are laid out, so a new block does not lay out all blocks. */
const SECTION = 16

type Chunk = readonly Token[]

/** A growing text: finished blocks in full sections, full chunks and a partial chunk, then open blocks. */
export interface GrowingBlocks {
  readonly source: string
  /** The text with `\n` as its only line break. */
  readonly text: string
  readonly sections: readonly (readonly Chunk[])[]
  readonly chunks: readonly Chunk[]
  readonly rest: Chunk
  /** Number of characters in finished blocks. The open blocks begin there. */
  readonly doneChars: number
  /** Headings of finished blocks. */
  readonly outline: Outline
  readonly open: readonly Token[]
}

export const NO_BLOCKS: GrowingBlocks = {
  source: '',
  text: '',
  sections: [],
  chunks: [],
  rest: [],
  doneChars: 0,
  outline: [],
  open: [],
}

/**
 * Returns the blocks of a text that has grown. Only the text after the finished blocks is parsed again. Finished blocks remain the same
 * objects.
 */
export function grow(before: GrowingBlocks, source: string): GrowingBlocks {
  const text = withPlainBreaks(source)
  const known = text.startsWith(before.text) ? before : NO_BLOCKS
  const finished = finishedBlocks(text.slice(known.doneChars))
  const outline = setLevels(finished, known.outline)
  const doneChars = known.doneChars + finished.reduce((sum, token) => sum + token.raw.length, 0)
  const unchunked = finished.length === 0 ? known.rest : [...known.rest, ...finished]
  const { full: moreChunks, rest } = inPieces(unchunked, CHUNK)
  const { full: moreSections, rest: chunks } = inPieces(moreChunks.length === 0 ? known.chunks : [...known.chunks, ...moreChunks], SECTION)
  const open = blocksOf(text.slice(doneChars))
  setLevels(open, outline)
  const sections = moreSections.length === 0 ? known.sections : [...known.sections, ...moreSections]
  return { source, text, sections, chunks, rest, doneChars, outline, open }
}

/** Splits an array into full pieces of `size` and a rest. If no piece is full, the rest is the given array itself. */
function inPieces<T>(all: readonly T[], size: number): { readonly full: readonly (readonly T[])[]; readonly rest: readonly T[] } {
  const count = Math.floor(all.length / size)
  if (count === 0) return { full: [], rest: all }
  return {
    full: Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size)),
    rest: all.slice(count * size),
  }
}

/**
 * Returns the blocks that later text cannot change. Two parts are never finished: the last line, because it is incomplete, and the last
 * block, because it may continue after an empty line, as lists do.
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

/** Maximum number of characters that are parsed. Parsing 500,000 characters takes about 100 ms. A longer answer is shown as plain text. */
const LONGEST = 500_000
/**
 * Maximum number of emphasis marks in a paragraph. Parsing is quadratic in their number (200: 3 ms, 40,000: 30 s). Paragraphs with more
 * marks are shown without emphasis.
 */
const MAX_MARKS = 200
/**
 * Matches lists and quotes that are nested too deeply. Parsing is cubic in their depth, so text that contains them is shown as plain text.
 */
const TOO_DEEP = /^(?:[ \t]{40,}(?:[>*+-]|\d{1,9}[.)])|(?:> ?){20}|(?:[*+-] ){20}|(?:\d{1,9}[.)] ){20})/m
const FENCED = /^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1/gm

/** Returns the blocks of any text. The text is untrusted, so it must never block or break the window. */
export function blocksOf(source: string): Token[] {
  const text = withPlainBreaks(source)
  if (text.length > LONGEST || TOO_DEEP.test(text.replaceAll(FENCED, ''))) return [asItCame(text)]
  try {
    return lex(text)
  } catch {
    return [asItCame(text)]
  }
}

/** Replaces every line break by `\n`, so that positions of blocks are valid. */
function withPlainBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

const asItCame = (text: string): Token => ({ type: 'code', raw: text, text })

function lex(text: string): Token[] {
  const lexer = new Lexer()
  lexer.blockTokens(text, lexer.tokens)
  for (const { src, tokens } of lexer.inlineQueue) {
    if (marksIn(src) > MAX_MARKS) tokens.push({ type: 'text', raw: src, text: src })
    else lexer.inlineTokens(src, tokens)
  }
  return lexer.tokens
}

function marksIn(text: string): number {
  let marks = 0
  for (const character of text) if (character === '*' || character === '_' || character === '~') marks++
  return marks
}

/** Returns the level of a heading. Null for a heading inside another block, which is not part of the outline. */
export function levelOf(token: Token): HeadingLevel | null {
  return LEVELS.get(token) ?? null
}

/**
 * Sets the level of each heading by its position in the outline, so that no level is skipped: `##` and `####` become levels 3 and 4.
 * Returns the outline after the last block.
 */
function setLevels(blocks: readonly Token[], before: Outline): Outline {
  let outline = before
  for (const block of blocks) {
    if (block.type !== 'heading') continue
    const { depth } = block as Tokens.Heading
    outline = [...outline.filter((above) => above < depth), depth]
    LEVELS.set(block, Math.min(6, 2 + outline.length) as HeadingLevel)
  }
  return outline
}
