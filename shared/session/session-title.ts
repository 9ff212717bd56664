import { type PersonMessage, messageAsTyped } from './person-message.ts'

/** Maximum number of characters (as a reader counts them) in a title made from a request. */
const MAX_TITLE_CHARS = 48

/** Minimum number of characters in a clause that is used as a title. A shorter clause says too little about the request. */
const LEAST_CLAUSE = 12

/** Maximum number of characters in the name that a user gives a session. */
const MAX_OF_NAME = 120

/**
 * A short title for a request: its first sentence, or the first clause of a long sentence. Markdown, the folders of paths, and opening
 * courtesies are left out. At most 48 characters, cut at a word. Empty if the request has neither words nor pictures.
 */
export function titleOfRequest({ pictures = [], ...said }: PersonMessage): string {
  const title = shortened(firstSentence(withoutCourtesy(firstLine(messageAsTyped(said)))))
  if (title !== '' || pictures.length === 0) return title
  return pictures.length === 1 ? 'A picture' : `${pictures.length} pictures`
}

/** The name that a user gives a session, on one line and without invisible characters. At most 120 characters. */
export function cleanName(name: string): string {
  return graphemes(visible(name)).slice(0, MAX_OF_NAME).join('').trim()
}

/** Whether a text ends with a question to its reader. Choices may be listed after the question. */
export function endsWithQuestion(text: string): boolean {
  const lines = text.slice(-4_000).split('\n')
  const last = lines.findLast((line) => line.trim() !== '' && !/^\s*(?:[-*+•]|\d{1,3}[.)])\s/u.test(line)) ?? ''
  return /[?？؟][\s"'”’»)\]*_`~]{0,20}$/u.test(last.slice(-40))
}

/** Replaces control characters, and characters that reverse or hide text, with spaces. Consecutive spaces become one. */
function visible(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** The first line with words. Lines in code blocks count only if there are no other lines with words. */
function firstLine(text: string): string {
  let fence: string | null = null
  let inCode = ''
  // The first 20,000 characters are enough to find a title, while a request may contain a megabyte of pasted log.
  for (const line of text.slice(0, 20_000).split(/\r\n|\r|\n/u)) {
    const mark = /^[ \t]*(```|~~~)/u.exec(line)?.[1]
    if (mark !== undefined && (fence === null || fence === mark)) fence = fence === null ? mark : null
    else {
      const words = visible(withoutMarkdown(line.slice(0, 2_000)))
      if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(words)) continue
      if (fence === null) return words
      inCode ||= words
    }
  }
  return inCode
}

function withoutMarkdown(line: string): string {
  return line
    .replace(/^\s*(?:(?:#{1,6}|>|[-*+•]|\d{1,9}[.)])\s+){1,8}(?:\[[ xX]\]\s+)?/u, '')
    .replaceAll(/!?\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/gu, '$1')
    .replaceAll(/<\/?[A-Za-z][^<>]{0,200}>/gu, ' ')
    .split(/\s+/u)
    .map(withoutFolders)
    .join(' ')
    .replaceAll(/`+|\*\*|~~/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}*_])([*_])(?![*_\s])([^*]{1,200}?)(?<!\s)\1(?![\p{L}\p{N}*_])/gu, '$2')
}

/** Shortens an address to its host and a path to its last part. Other words, enclosing quotes and punctuation are kept. */
function withoutFolders(word: string): string {
  const begin = /^["'`“‘«(*_]*/u.exec(word)?.[0].length ?? 0
  const end = word.length - (/["'`”’»)*_,.;:!?]*$/u.exec(word.slice(-8))?.[0].length ?? 0)
  if (end <= begin) return word
  return word.slice(0, begin) + shortPlace(word.slice(begin, end)) + word.slice(end)
}

/**
 * Shortens a path. "and/or" and "3/4" are not paths: a path has two slashes, starts with a slash, a drive or dots, or ends with a file
 * name that has an extension.
 */
function shortPlace(word: string): string {
  const address = /^[a-z][a-z0-9+.-]{1,20}:\/\//iu.exec(word)
  if (address) return word.slice(address[0].length).split(/[/?#]/u, 1)[0]?.split('@').at(-1) ?? word
  if (word.length > 4_096) return word
  const parts = word.split(/[\\/]/u)
  const last = parts.findLast((part) => part !== '')
  const isPath = /^@?(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/u.test(word) || parts.length > 2 || /\.[A-Za-z]\w{0,9}$/u.test(last ?? '')
  return last !== undefined && parts.length > 1 && isPath ? last : word
}

const COURTESY =
  /^(?:(?:hi|hey|hello)(?: there)?[,!. ]+|please,? |kindly |(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to |i (?:want|need) you to )/iu

function withoutCourtesy(line: string): string {
  let rest = line
  for (let match = COURTESY.exec(rest); match && match[0].length < rest.length; match = COURTESY.exec(rest))
    rest = rest.slice(match[0].length)
  return rest === line ? line : rest.replace(/^\p{Ll}/u, (first) => first.toUpperCase())
}

function firstSentence(line: string): string {
  const end = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|no|mr|ms|dr))[.!?;]+(?=\s)|[。！？；]/iu.exec(line)
  const sentence = end === null ? line : line.slice(0, end.index + end[0].length)
  return sentence.replace(/[\s.;:,!。；：，、…—–-]+$/u, '') || sentence.trim()
}

function shortened(sentence: string): string {
  const characters = graphemes(sentence)
  if (characters.length <= MAX_TITLE_CHARS) return sentence
  const head = characters.slice(0, MAX_TITLE_CHARS).join('')
  return clauseIn(head) ?? `${wordsIn(head)}…`
}

/** The first clause that is long enough. Null if there is none. */
function clauseIn(head: string): string | null {
  const ends = [...head.matchAll(/[:,](?=\s)|\s[–—-](?=\s)|[：，、]/gu)].map(({ index }) => head.slice(0, index).trimEnd())
  return ends.find((clause) => graphemes(clause).length >= LEAST_CLAUSE) ?? null
}

/** Drops the word that is cut off at the end, unless too little would be left without it. */
function wordsIn(head: string): string {
  const whole = head.slice(0, lastWordAt(head))
  const cut = graphemes(head).slice(0, -1).join('')
  return (whole.trim().length * 2 > head.length ? whole : cut).replace(/[\s,.;:([{'"“‘–—-]+$/u, '')
}

/** Matches plain ASCII text. It is handled without ICU's segmenter, because loading the segmenter adds 10 ms to the start. */
const ASCII = /^[ -~]*$/u

function lastWordAt(text: string): number {
  if (ASCII.test(text)) return /(?:\w+(?:['.:]\w+)*|\W)$/u.exec(text)?.index ?? 0
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].at(-1)?.index ?? 0
}

function graphemes(text: string): readonly string[] {
  if (ASCII.test(text)) return text.split('')
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)
}
