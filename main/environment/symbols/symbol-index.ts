import type { FoundSymbol } from '../../../shared/api/workspace.ts'
import type { Definition } from './symbol-rules.ts'

/** Maximum numbers of definitions that are kept for one folder and for one file. */
const MAX_DEFINITIONS = 2_000_000
const MAX_OF_FILE = 2_000
const MAX_FOUND = 20

interface IndexedFile {
  readonly stamp: string
  readonly definitions: readonly Definition[]
}

/** The definitions in a folder's files. `stamp`: text that changes when the file changes. */
export interface SymbolIndex {
  stampOf(path: string): string | null
  put(path: string, stamp: string, definitions: readonly Definition[]): void
  keepOnly(paths: ReadonlySet<string>): void
  /**
   * Makes the added definitions findable. This happens in slices, and searches in the meantime use the previous state. Returns false if
   * nothing has changed.
   */
  publish(): Promise<boolean>
  /** Returns the best matches first, at most 20. */
  find(typed: string): readonly FoundSymbol[]
  entries(): IterableIterator<[path: string, file: IndexedFile]>
}

export function createSymbolIndex(): SymbolIndex {
  const files = new Map<string, IndexedFile>()
  let names: Names = {
    names: [],
    folded: [],
    lengths: new Uint32Array(),
    letters: new Int32Array(),
    initials: new Int32Array(),
    places: [],
  }
  let isChanged = false
  return {
    stampOf: (path) => files.get(path)?.stamp ?? null,
    put(path, stamp, definitions) {
      files.set(path, { stamp, definitions: definitions.slice(0, MAX_OF_FILE) })
      isChanged = true
    },
    keepOnly(paths) {
      for (const path of files.keys()) if (!paths.has(path)) isChanged = files.delete(path)
    },
    async publish() {
      if (!isChanged) return false
      isChanged = false
      names = await namesOf(files)
      return true
    },
    find: (typed) => found(names, typed),
    entries: () => files.entries(),
  }
}

/**
 * Contains each name once, shorter names first. For each name, its letters and the first letters of its words are stored as bits. Most
 * names are skipped after one comparison of numbers, without reading the name, and the search ends when longer names cannot be better.
 */
interface Names {
  readonly names: readonly string[]
  readonly folded: readonly string[]
  readonly lengths: Uint32Array
  readonly letters: Int32Array
  readonly initials: Int32Array
  readonly places: readonly FoundSymbol[][]
}

/** Number of definitions and names that are processed before a question may be answered. */
const SLICE = 20_000
const otherQuestions = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function namesOf(files: ReadonlyMap<string, IndexedFile>): Promise<Names> {
  const byName = new Map<string, FoundSymbol[]>()
  let count = 0
  for (const [path, { definitions }] of files) {
    if (count > MAX_DEFINITIONS) break
    if (Math.floor(count / SLICE) !== Math.floor((count += definitions.length) / SLICE)) await otherQuestions()
    for (const definition of definitions) {
      const places = byName.get(definition.name)
      const place = { ...definition, path }
      if (places) places.push(place)
      else byName.set(definition.name, [place])
    }
  }
  const names = shorterFirst(byName.keys())
  const folded: string[] = []
  const lengths = new Uint32Array(names.length)
  const letters = new Int32Array(names.length)
  const initials = new Int32Array(names.length)
  for (const [at, name] of names.entries()) {
    if (at % SLICE === 0) await otherQuestions()
    const lower = name.toLowerCase()
    folded.push(lower)
    lengths[at] = name.length
    letters[at] = lettersOf(lower)
    initials[at] = initialsOf(name, lower)
  }
  return { names, folded, lengths, letters, initials, places: names.map((name) => byName.get(name) ?? []) }
}

/** Sorts in linear time, and keeps the given order of names of equal length. */
function shorterFirst(names: Iterable<string>): string[] {
  const byLength: string[][] = []
  for (const name of names) (byLength[name.length] ??= []).push(name)
  return byLength.flatMap((some) => some ?? [])
}

/** The letters of the text in lower case: one bit for each letter, five bits for the digits, and one bit for everything else. */
export function lettersOf(folded: string): number {
  let bits = 0
  for (let at = 0; at < folded.length; at++) bits |= bitOf(folded.charCodeAt(at))
  return bits
}

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  return code >= 48 && code <= 57 ? 1 << (26 + (code % 5)) : 1 << 31
}

function initialsOf(name: string, folded: string): number {
  let bits = 0
  for (let at = 0; at < folded.length; at++) if (isWordStart(name, folded, at)) bits |= bitOf(folded.charCodeAt(at))
  return bits
}

function found({ names, folded, lengths, letters, initials, places }: Names, typed: string): readonly FoundSymbol[] {
  const wanted = typed.toLowerCase()
  if (wanted === '') return []
  const wantedLetters = lettersOf(wanted)
  const initial = bitOf(wanted.charCodeAt(0))
  const best: { readonly at: number; readonly score: number }[] = []
  /** The score that a name must exceed to be among the best. */
  let least = -Infinity
  for (let at = 0; at < names.length; at++) {
    if (((letters[at] ?? 0) & wantedLetters) !== wantedLetters) continue
    const short = shorterIsBetter(lengths[at] ?? 0)
    // All names from here on are at least this long, so none of them can be among the best.
    if (least >= BEGINS + SAME_CASE + short) break
    // Only a match at the beginning of a word would be good enough, and no word of this name begins with the first typed letter.
    if (least >= PART + short && ((initials[at] ?? 0) & initial) === 0) continue
    const score = scoreOf(names[at] ?? '', folded[at] ?? '', { typed, wanted, least })
    if (score === null || score <= least) continue
    const place = best.findIndex((other) => score > other.score)
    best.splice(place === -1 ? best.length : place, 0, { at, score })
    if (best.length > MAX_FOUND) best.pop()
    if (best.length === MAX_FOUND) least = best.at(-1)?.score ?? least
  }
  return best.flatMap(({ at }) => places[at] ?? []).slice(0, MAX_FOUND)
}

const WHOLE = 500
const BEGINS = 400
const WORD = 300
const PART = 200
const INITIALS = 100
const SAME_CASE = 10
/** What is added to the score of a name of this length. */
const shorterIsBetter = (length: number): number => -length / 100

interface Sought {
  readonly typed: string
  readonly wanted: string
  /** Scores up to this one can be skipped. */
  readonly least: number
}

/**
 * The score of a name. Matches are ranked in this order: the complete name, its beginning, a word in it, any part, then the first letters
 * of its words: `rT` finds `runTurn`. Among names of the same rank, shorter ones score higher.
 */
function scoreOf(name: string, folded: string, { typed, wanted, least }: Sought): number | null {
  const short = shorterIsBetter(name.length)
  if (folded.startsWith(wanted))
    return (folded.length === wanted.length ? WHOLE : BEGINS) + (name.startsWith(typed) ? SAME_CASE : 0) + short
  if (least >= WORD) return null
  const first = folded.indexOf(wanted, 1)
  if (first > 0) return (isWordStart(name, folded, first) ? WORD : PART) + short
  return least < INITIALS && wanted.length > 1 && startsWords(name, folded, wanted) ? INITIALS + short : null
}

const UNDERSCORE = 0x5f

/** A capital letter is a letter that differs from its lower case. */
const isWordStart = (name: string, folded: string, at: number): boolean =>
  at === 0 ||
  name.charCodeAt(at - 1) === UNDERSCORE ||
  (name.charCodeAt(at) !== folded.charCodeAt(at) && name.charCodeAt(at - 1) === folded.charCodeAt(at - 1))

/** Whether the name contains these letters in this order, each directly after the previous one or at the beginning of a word. */
function startsWords(name: string, folded: string, wanted: string): boolean {
  let from = 0
  for (let letter = 0; letter < wanted.length; letter++) {
    const code = wanted.charCodeAt(letter)
    let at = from
    if (letter === 0 || folded.charCodeAt(at) !== code) {
      while (at < name.length && !(folded.charCodeAt(at) === code && isWordStart(name, folded, at))) at++
      if (at === name.length) return false
    }
    from = at + 1
  }
  return true
}
