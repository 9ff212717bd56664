import type { FoundSymbol } from '../../../shared/api/workspace.ts'
import type { Definition } from './symbol-rules.ts'

/** Definitions that are kept of one folder, and of one file. */
const MAX_DEFINITIONS = 2_000_000
const MAX_OF_FILE = 2_000
const MAX_FOUND = 20

interface IndexedFile {
  readonly stamp: string
  readonly definitions: readonly Definition[]
}

/** The definitions of a folder's files. `stamp`: changes with the file. */
export interface SymbolIndex {
  stampOf(path: string): string | null
  put(path: string, stamp: string, definitions: readonly Definition[]): void
  keepOnly(paths: ReadonlySet<string>): void
  /** Makes what was put findable, in slices, so that questions in between are answered from before. False: nothing has changed. */
  publish(): Promise<boolean>
  /** Best first, at most 20. */
  find(typed: string): readonly FoundSymbol[]
  entries(): IterableIterator<[path: string, file: IndexedFile]>
}

export function createSymbolIndex(): SymbolIndex {
  const files = new Map<string, IndexedFile>()
  let names: Names = { names: [], folded: [], letters: new Int32Array(), places: [] }
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

/** Each name once, with the letters that occur in it as bits, so that most names are passed over by one comparison. */
interface Names {
  readonly names: readonly string[]
  readonly folded: readonly string[]
  readonly letters: Int32Array
  readonly places: readonly FoundSymbol[][]
}

/** Definitions, and names, that are taken in before a question may be answered. */
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
  const names = [...byName.keys()]
  const folded: string[] = []
  const letters = new Int32Array(names.length)
  for (const [at, name] of names.entries()) {
    if (at % SLICE === 0) await otherQuestions()
    const lower = name.toLowerCase()
    folded.push(lower)
    letters[at] = lettersOf(lower)
  }
  return { names, folded, letters, places: [...byName.values()] }
}

function lettersOf(folded: string): number {
  let bits = 0
  for (let at = 0; at < folded.length; at++) bits |= 1 << (folded.charCodeAt(at) & 31)
  return bits
}

function found({ names, folded, letters, places }: Names, typed: string): readonly FoundSymbol[] {
  const wanted = typed.toLowerCase()
  if (wanted === '') return []
  const wantedLetters = lettersOf(wanted)
  const best: { readonly at: number; readonly score: number }[] = []
  for (let at = 0; at < names.length; at++) {
    if (((letters[at] ?? 0) & wantedLetters) !== wantedLetters) continue
    const score = scoreOf(names[at] ?? '', folded[at] ?? '', typed, wanted)
    if (score === null) continue
    const last = best.at(-1)
    if (last && best.length === MAX_FOUND && score <= last.score) continue
    const place = best.findIndex((other) => score > other.score)
    best.splice(place === -1 ? best.length : place, 0, { at, score })
    if (best.length > MAX_FOUND) best.pop()
  }
  return best.flatMap(({ at }) => places[at] ?? []).slice(0, MAX_FOUND)
}

/** The whole name, its beginning, a word in it, any part, then the first letters of its words: `rT` finds `runTurn`. Shorter names first. */
function scoreOf(name: string, folded: string, typed: string, wanted: string): number | null {
  const first = folded.indexOf(wanted)
  const short = -name.length / 100
  if (first === 0) return (folded.length === wanted.length ? 500 : 400) + (name.startsWith(typed) ? 10 : 0) + short
  if (first > 0) return (isWordStart(name, first) ? 300 : 200) + short
  return wanted.length > 1 && startsWords(name, folded, wanted) ? 100 + short : null
}

const isWordStart = (name: string, at: number): boolean =>
  at === 0 || name[at - 1] === '_' || (name[at] !== (name[at] ?? '').toLowerCase() && name[at - 1] === (name[at - 1] ?? '').toLowerCase())

/** Whether each letter continues in a word or begins a later one. */
function startsWords(name: string, folded: string, wanted: string): boolean {
  let from = 0
  for (let letter = 0; letter < wanted.length; letter++) {
    let at = from
    if (letter === 0 || folded[at] !== wanted[letter]) {
      while (at < name.length && !(folded[at] === wanted[letter] && isWordStart(name, at))) at++
      if (at === name.length) return false
    }
    from = at + 1
  }
  return true
}
