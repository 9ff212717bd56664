import { classAt } from './rust-class.ts'
import { type Dialect, escapeAt, literal, type Piece } from './rust-escape.ts'

/** A pattern as our own search uses it. */
export interface SearchPattern {
  readonly expression: RegExp
  /** Whose eyes see the lines. */
  readonly dialect: Dialect
  /** One look at many lines at once tells for sure when none of them matches. */
  readonly tellsAtOnce: boolean
}

interface PatternOptions {
  readonly caseSensitive: boolean
  readonly multiline: boolean
}

/**
 * A ripgrep pattern as a JavaScript one: first as ripgrep's own engine reads it, then, as ripgrep does, as PCRE2 would. Throws a
 * `SyntaxError` for what neither knows, and for what only PCRE2 could do.
 */
export function patternFromRust(pattern: string, options: PatternOptions): SearchPattern {
  try {
    return compiled(pattern, 'rust', options)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    try {
      return compiled(pattern, 'pcre', options)
    } catch (second) {
      throw second instanceof SyntaxError && error instanceof OtherDialect ? second : error
    }
  }
}

/** It is no mistake: PCRE2 knows it. */
class OtherDialect extends SyntaxError {}

function compiled(pattern: string, dialect: Dialect, options: PatternOptions): SearchPattern {
  const { source, needsLine } = translate(pattern, dialect, options.multiline)
  // PCRE2 begins no match inside a line's end, unless the pattern names one of its two characters.
  const start = dialect === 'pcre' && !/[\r\n]|\\[nr]|\\x(?:0[ad]|\{0*[ad]\})/iu.test(pattern) ? String.raw`(?!(?<=\r)\n)` : ''
  const expression = new RegExp(
    start === '' ? source : `${start}(?:${source})`,
    `v${options.caseSensitive ? '' : 'i'}${options.multiline ? 'g' : ''}`,
  )
  return { expression, dialect, tellsAtOnce: !needsLine && dialect === 'rust' }
}

interface Flags {
  readonly dotAll: boolean
  readonly lines: boolean
  readonly verbose: boolean
  readonly lazy: boolean
}

interface Group {
  /** Where it begins in what was made. */
  readonly start: number
  /** As they are behind it. */
  readonly flags: Flags
  readonly close: string
  /** `(?i:` and the like, opened for the rest of the group. */
  readonly opened: string[]
}

/** PCRE2 takes the two characters of a line's end for one each, and sees no line behind the last one. */
const LINE_START: Readonly<Record<Dialect, string>> = {
  rust: String.raw`(?:(?<=^|\n|\r(?!\n)))`,
  pcre: String.raw`(?:^|(?<=[\r\n])(?=[^]))`,
}
const LINE_END: Readonly<Record<Dialect, string>> = {
  rust: String.raw`(?:(?=$|\r|(?<!\r)\n))`,
  pcre: String.raw`(?:(?=$|[\r\n]))`,
}

function translate(pattern: string, dialect: Dialect, multiline: boolean): { readonly source: string; readonly needsLine: boolean } {
  const made: string[] = []
  const groups: Group[] = [{ start: 0, flags: { dotAll: multiline, lines: true, verbose: false, lazy: false }, close: '', opened: [] }]
  let flags = groups[0]?.flags ?? { dotAll: false, lines: true, verbose: false, lazy: false }
  let needsLine = false
  /** Where the piece begins that a quantifier would repeat; null: there is none. */
  let atom: number | null = null
  let isRepeated = false
  const add = (piece: Piece): void => {
    atom = made.length
    isRepeated = false
    made.push(piece.source)
    needsLine ||= piece.needsLine === true
    at += piece.length
  }
  const group = (): Group => groups.at(-1) ?? { start: 0, flags, close: '', opened: [] }
  const open = (head: Head): void => {
    if (head.kind === 'flags') {
      flags = { ...flags, ...head.flags }
      if (head.source !== '') group().opened.push(head.source)
      made.push(head.source)
    } else {
      groups.push({ start: made.length, flags, close: head.close, opened: [] })
      flags = { ...flags, ...head.flags }
      made.push(head.source)
      needsLine ||= head.needsLine
    }
    atom = null
    at += head.length
  }
  const close = (): void => {
    const ended = groups.length > 1 ? groups.pop() : undefined
    if (!ended) throw new SyntaxError('unopened group')
    made.push(')'.repeat(ended.opened.length), ended.close)
    flags = ended.flags
    atom = ended.start
    isRepeated = false
    at += 1
  }
  const repeat = ({ source, length }: Quantifier): void => {
    if (atom === null) throw new SyntaxError('repetition operator missing expression')
    if (isRepeated && dialect === 'pcre') throw new SyntaxError('this repetition is not known to the search without ripgrep')
    if (isRepeated) made.splice(atom, made.length, `(?:${made.slice(atom).join('')})`)
    const isLazy = pattern[at + length] === '?'
    made.push(source, isLazy === flags.lazy ? '' : '?')
    isRepeated = true
    at += length + (isLazy ? 1 : 0)
  }
  let at = 0
  while (at < pattern.length) {
    const char = pattern[at] ?? ''
    const quantifier = quantifierAt(pattern, at, dialect)
    if (flags.verbose && /^(?:\s|#)$/u.test(char)) at += /^(?:\s|#[^\n]*)/u.exec(pattern.slice(at))?.[0].length ?? 1
    else if (dialect === 'pcre' && pattern.startsWith('(?#', at)) at += /^[^)]*\)?/u.exec(pattern.slice(at))?.[0].length ?? 1
    else if (quantifier) repeat(quantifier)
    else if (char === '(') open(headAt(pattern, at, dialect))
    else if (char === ')') close()
    else if (char === '|') {
      const { opened } = group()
      made.push(')'.repeat(opened.length), '|', ...opened)
      atom = null
      at += 1
    } else add(pieceAt(pattern, at, dialect, flags, multiline))
  }
  if (groups.length > 1) throw new SyntaxError('unclosed group')
  made.push(')'.repeat(group().opened.length))
  return { source: made.join(''), needsLine }
}

function pieceAt(pattern: string, at: number, dialect: Dialect, flags: Flags, multiline: boolean): Piece {
  const isByLine = dialect === 'rust' && !multiline
  switch (pattern[at]) {
    case '\\': {
      const piece = otherwise(dialect, () => escapeAt(pattern, at, dialect))
      const isAtEnd = pattern[at + 1] === 'z'
      if ((piece.code === 10 || piece.code === 13 || isAtEnd) && isByLine) throw new OtherDialect('the line break at the end')
      return isByLine ? withinLine(piece) : piece
    }
    case '[': {
      const piece = otherwise(dialect, () => classAt(pattern, at, dialect))
      if (isByLine && ONLY_ENDS.test(pattern.slice(at, at + piece.length))) throw new OtherDialect('a class of line ends')
      return isByLine ? withinLine(piece) : piece
    }
    case '.':
      return { source: flags.dotAll && !isByLine ? '[^]' : String.raw`[^\r\n]`, length: 1, code: null }
    case '^':
      return { source: flags.lines ? LINE_START[dialect] : '(?:^)', length: 1, code: null, needsLine: !flags.lines }
    case '$':
      return { source: flags.lines ? LINE_END[dialect] : '(?:$)', length: 1, code: null, needsLine: !flags.lines }
    case '\n':
      if (isByLine) throw new OtherDialect('a line break')
      return literal(10, 1)
    default: {
      const code = pattern.codePointAt(at) ?? 0
      return literal(code, code > 0xffff ? 2 : 1)
    }
  }
}

/** A class that is empty once the characters of a line's end are taken out. */
const ONLY_ENDS = /^\[(?:\\[rn]|[\r\n])+\]$/u

/** Line by line ripgrep's own engine sees no line break, and takes a carriage return for one. */
function withinLine(piece: Piece): Piece {
  return piece.code === null && piece.isPlace !== true ? { ...piece, source: `[${piece.source}--[\\r\\n]]` } : piece
}

/** What one engine does not know may be known to the other; its words are the better ones then. */
function otherwise(dialect: Dialect, piece: () => Piece): Piece {
  try {
    return piece()
  } catch (error) {
    if (dialect === 'rust' && error instanceof SyntaxError && error.message.startsWith('unrecognized'))
      throw new OtherDialect(error.message)
    throw error
  }
}

interface Quantifier {
  readonly source: string
  readonly length: number
}

function quantifierAt(pattern: string, at: number, dialect: Dialect): Quantifier | null {
  const char = pattern[at] ?? ''
  if (/^[*+?]$/u.test(char)) return { source: char, length: 1 }
  if (char !== '{') return null
  const match = /^\{(?<least>\d*)(?<comma>,?)(?<most>\d*)\}/u.exec(pattern.slice(at))
  const { least = '', comma = '', most = '' } = match?.groups ?? {}
  if (!match || (least === '' && most === '')) {
    if (dialect === 'rust') throw new OtherDialect('unclosed counted repetition')
    return null
  }
  if (most !== '' && Number(most) < Number(least)) throw new SyntaxError('invalid repetition count range')
  return { source: `{${least || '0'}${comma}${most}}`, length: match[0].length }
}

/** How a group begins: its flags alone, or the group itself. */
type Head =
  | { readonly kind: 'flags'; readonly source: string; readonly flags: Partial<Flags>; readonly length: number }
  | {
      readonly kind: 'group'
      readonly source: string
      readonly close: string
      readonly flags: Partial<Flags>
      readonly needsLine: boolean
      readonly length: number
    }

function headAt(pattern: string, at: number, dialect: Dialect): Head {
  const rest = pattern.slice(at)
  const group = (
    source: string,
    length: number,
    more: { readonly close?: string; readonly needsLine?: boolean; readonly flags?: Partial<Flags> } = {},
  ): Head => ({
    ...{ kind: 'group', source, length, close: ')', needsLine: false, flags: {} },
    ...more,
  })
  const capture = dialect === 'rust' ? '(?:' : '('
  if (!rest.startsWith('(?') && !rest.startsWith('(*')) return group(capture, 1)
  const around = /^\(\?<?[=!]/u.exec(rest)?.[0]
  if (around !== undefined) {
    if (dialect === 'rust') throw new OtherDialect('look-around')
    // A place cannot be repeated in JavaScript, a group of one can.
    return group(`(?:${around}`, around.length, { close: '))', needsLine: around.endsWith('!') })
  }
  const named = /^\(\?P?<(?<name>\w+)>/u.exec(rest)
  if (named) return group(dialect === 'rust' ? '(?:' : `(?<${named.groups?.['name']}>`, named[0].length)
  const flagged = /^\(\?(?<on>[a-zA-Z]*)(?:-(?<off>[a-zA-Z]+))?(?<end>[:)])/u.exec(rest)
  if (!flagged?.groups) {
    if (dialect === 'rust') throw new OtherDialect('a group')
    throw new SyntaxError(`the search without ripgrep knows no ${rest.slice(0, 3)}`)
  }
  const { on = '', off = '', end = '' } = flagged.groups
  if (/[^imsxuUR]/u.test(on + off)) throw new SyntaxError('unrecognized flag')
  const source = on.includes('i') ? '(?i:' : off.includes('i') ? '(?-i:' : ''
  const flags = flagsOf(on, off)
  if (end === ':') return group(source || '(?:', flagged[0].length, { flags })
  return { kind: 'flags', source, flags, length: flagged[0].length }
}

function flagsOf(on: string, off: string): Partial<Flags> {
  const told = { s: 'dotAll', m: 'lines', x: 'verbose', U: 'lazy' } as const
  const entries = Object.entries(told).flatMap(([letter, name]) =>
    on.includes(letter) ? [[name, true]] : off.includes(letter) ? [[name, false]] : [],
  )
  return Object.fromEntries(entries) as Partial<Flags>
}
