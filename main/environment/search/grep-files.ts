import { basename, dirname } from 'node:path'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { GrepMatch, GrepOptions, GrepResult } from '../../agent/ports/execution-environment.ts'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'
import type { ProcessTable } from '../process/process-table.ts'
import { grepInWorker, type GrepRequest } from './grep-in-worker.ts'
import { parseIncludeRule } from './glob/include-rule.ts'
import { fileSelection } from './ripgrep/file-selection.ts'
import { filesBeyondUtf8, mayMatchBeyondAscii, oldEncodingOf } from './ripgrep/files-beyond-utf8.ts'
import { findRipgrep, grepInEncoding, grepWithRipgrep } from './ripgrep/ripgrep.ts'
import { verifiedMatches } from './verify-matches.ts'
import { realSearchPlace, searchKind, topOf } from './search-path-kind.ts'

/** The time limit of a search in ms: twenty times as long as Countersign's own search takes for 20,000 files. */
const DEFAULT_TIMEOUT_MS = 10_000
/** Default maximum number of matches, so that the result of a search for `.` is limited. */
const DEFAULT_MAX_RESULTS = 10_000

export interface SearchParts {
  /** The folder in which commands can change something. */
  readonly root: string
  readonly table: ProcessTable
  /** Path of the program. Undefined if it must be found. Null if it must not be used. */
  readonly ripgrep: string | null | undefined
  readonly timeoutMs: number | undefined
}

/**
 * Matching lines, sorted by path and line. Hidden files are searched. `.git`, binary files and ignored files are not, unless they are given
 * as `path`. Long lines are shortened to the part around their first match. Rejects with `EINVAL` for a malformed pattern or include, with
 * `ETIMEDOUT` after the time limit, and with `ECHANGED` if `path` was a real path but now leads elsewhere.
 */
export async function grepFiles(parts: SearchParts, pattern: string, path: string, options: GrepOptions): Promise<GrepResult> {
  options.signal?.throwIfAborted()
  // The pattern is checked here, so that the error does not depend on the program that searches.
  if (options.includePattern !== undefined) parseIncludeRule(options.includePattern)
  const start = Date.now()
  const isFile = (await searchKind(path)) === 'file'
  const place = await realSearchPlace(path, options.real)
  const request: GrepRequest = {
    pattern,
    folder: isFile ? dirname(place) : place,
    file: isFile ? basename(place) : null,
    caseSensitive: options.caseSensitive ?? true,
    multiline: options.multiline ?? false,
    includePattern: options.includePattern ?? null,
    contextLines: options.contextLines ?? 0,
    maxResults: options.maxResults ?? DEFAULT_MAX_RESULTS,
    timeoutMs: parts.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    start,
    signal: options.signal,
  }
  const program = parts.ripgrep === undefined ? await findRipgrep() : parts.ripgrep
  try {
    const { matches, capped } = program === null ? await grepInWorker(request) : await withRipgrep(parts, program, request)
    return { matches: byPath(matches), capped }
  } catch (error) {
    if (codeOf(error) !== 'ETIMEDOUT') throw error
    const words = `The search for ${pattern} took longer than ${request.timeoutMs} ms and was stopped. Search a smaller folder or simplify the pattern.`
    throw new EnvironmentFailure('ETIMEDOUT', words, error)
  }
}

async function withRipgrep({ table, root }: SearchParts, program: string, request: GrepRequest): Promise<GrepResult> {
  const { signal } = request
  const files = await fileSelection(request)
  const beyondUtf8 = mayMatchBeyondAscii(request.pattern) ? filesBeyondUtf8(table, program, request, files) : []
  const [found, listed] = await Promise.all([grepWithRipgrep(table, program, request, files), beyondUtf8])
  const place = { ...request, top: await topOf(root, request.folder) }
  const matches = await verifiedMatches(found.matches, place, signal)
  const unreadable = matches.flatMap(({ path, text }) => (text.includes('\ufffd') ? [path] : []))
  // ripgrep reads all text as UTF-8, so files in other encodings are searched again.
  const byEncoding = await groupedByEncoding(request, [...new Set([...listed, ...unreadable])].toSorted())
  if (byEncoding.size === 0) return { matches, capped: found.capped }
  const decoded: GrepMatch[] = []
  let capped = found.capped
  for (const [encoding, paths] of byEncoding) {
    const again = await grepInEncoding(table, program, request, paths, encoding)
    decoded.push(...(await verifiedMatches(again.matches, place, signal, encoding)))
    capped ||= again.capped
  }
  const others = new Set([...byEncoding.values()].flat())
  const all = byPath([...matches.filter(({ path }) => !others.has(path)), ...decoded])
  let left = request.maxResults
  const end = all.findIndex(({ isContext }) => !isContext && left-- === 0)
  return { matches: end < 0 ? all : all.slice(0, end), capped: capped || end >= 0 }
}

async function groupedByEncoding(request: GrepRequest, paths: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const slice = createSlices()
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    await slice()
    const encoding = await oldEncodingOf(request, path)
    if (encoding !== null) groups.set(encoding, [...(groups.get(encoding) ?? []), path])
  }
  return groups
}

/**
 * Sorts by folder, in the order in which a limited search visits them. ripgrep's threads finish files in any order. The lines of one file
 * are in order.
 */
function byPath(matches: readonly GrepMatch[]): readonly GrepMatch[] {
  const files = Map.groupBy(matches, ({ path }) => path.replaceAll('/', '\0'))
  // Sorting without a comparison function takes a third less time.
  return [...files.keys()].toSorted().flatMap((key) => files.get(key) ?? [])
}
