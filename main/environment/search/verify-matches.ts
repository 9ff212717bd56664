import { join } from 'node:path'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { GrepMatch } from '../../agent/ports/execution-environment.ts'
import { piecesOfRegularFile } from '../files/read-regular-file.ts'
import { decoderFor, MAX_LENGTH } from './match-lines.ts'
import { isRegularFile } from './search-path-kind.ts'
import { ancestorsUnchanged } from './ancestors-unchanged.ts'

interface Place {
  /** Real path of the searched folder. */
  readonly folder: string
  /** The only file of `folder` that was searched. ripgrep follows it if it is a link. Null if all files were searched. */
  readonly file: string | null
  /** Real path of the outermost folder in which commands may have changed something. */
  readonly top: string
  /** When the search began, in ms since 1970. */
  readonly start: number
}

/**
 * ripgrep opens files by name, so it may have followed a link. Drops matches in files that it may have reached that way. If a folder above
 * a file changed during the search, reads the file again and keeps only the matches whose text is still in it.
 * `encoding`: that of all these files, if it is not the one that their first bytes name.
 */
export async function verifiedMatches(
  matches: readonly GrepMatch[],
  { folder, file: only, top, start }: Place,
  signal: AbortSignal | undefined,
  encoding?: string,
): Promise<readonly GrepMatch[]> {
  const isUnchanged = ancestorsUnchanged(top, start)
  const slice = createSlices()
  const kept: GrepMatch[] = []
  for (const [path, own] of Map.groupBy(matches, (match) => match.path)) {
    await slice()
    signal?.throwIfAborted()
    const file = join(folder, path)
    const isSure = isUnchanged(file) && (only === null || isRegularFile(file))
    for (const match of isSure ? own : await linesIn(file, own, signal, encoding)) kept.push(match)
  }
  return kept
}

async function linesIn(
  file: string,
  matches: readonly GrepMatch[],
  signal: AbortSignal | undefined,
  encoding: string | undefined,
): Promise<readonly GrepMatch[]> {
  const missing = new Set(matches.map(({ text }) => text))
  const shortened = Map.groupBy(missing, (text) => Number(NOTE.exec(text)?.[1]))
  const pieces = piecesOfRegularFile(file, PIECE, { real: true, noFollow: true, ...(signal && { signal }) })
  try {
    for await (const lines of linesOf(pieces, encoding)) {
      for (const pieces of lines) {
        const length = pieces.reduce((sum, piece) => sum + piece.length, pieces.at(-1)?.endsWith('\r') ? -1 : 0)
        if (length <= MAX_LENGTH) missing.delete(pieces.join('').replace(/\r$/u, ''))
        else for (const text of shortened.get(length) ?? []) if (await contains(pieces, withoutNote(text))) missing.delete(text)
      }
      if (missing.size === 0) break
    }
  } catch {
    signal?.throwIfAborted()
    return []
  }
  return matches.filter(({ text }) => !missing.has(text))
}

/** Number of bytes that are searched between two turns of the event loop. This takes a few ms. */
const PIECE = 64 * 1024

/** Yields the lines of a text without `\n`, several at once. A long line has many pieces, because joining them would block the event loop. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncIterable<readonly (readonly string[])[]> {
  let decoder: TextDecoder | null = null
  const slice = createSlices()
  let last: string[] = []
  for await (const piece of pieces) {
    await slice()
    decoder ??= encoding === undefined ? decoderFor(piece) : new TextDecoder(encoding)
    const [first = '', ...lines] = decoder.decode(piece, { stream: true }).split('\n')
    if (first !== '') last.push(first)
    const begun = lines.pop()
    if (begun === undefined) continue
    yield [last, ...lines.map((line) => [line])]
    last = begun === '' ? [] : [begun]
  }
  const rest = decoder?.decode() ?? ''
  yield [rest === '' ? last : [...last, rest]]
}

async function contains(pieces: readonly string[], part: string): Promise<boolean> {
  const slice = createSlices()
  let before = ''
  for (const piece of pieces) {
    await slice()
    const text = before + piece
    if (text.includes(part)) return true
    before = text.slice(-MAX_LENGTH)
  }
  return false
}

/** The end of a shortened line, with the length of the complete line. */
const NOTE = / \[line of (\d+) characters\]$/u

/** The part of a shortened line that is in the file. */
const withoutNote = (text: string): string => text.replace(NOTE, '').replaceAll(/^…|…$/gu, '')
