import { Lexer, type Token } from 'marked'

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
export function withPlainBreaks(text: string): string {
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
