import { basename, dirname } from 'node:path'
import type { GrepMatch, GrepOptions, GrepResult } from '../../agent/ports/execution-environment.ts'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'
import type { ProcessTable } from '../process/process-table.ts'
import { hasOddRules } from './ignore/folder-ignore-rules.ts'
import { grepInWorker, type GrepRequest } from './grep-in-worker.ts'
import { parseIncludeRule } from './glob/include-rule.ts'
import { mayMatchBeyondAscii } from './ripgrep/files-beyond-utf8.ts'
import { filesToDecode, findRipgrep, grepWithRipgrep } from './ripgrep/ripgrep.ts'
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
    signal: options.signal,
  }
  const program = parts.ripgrep === undefined ? await findRipgrep() : parts.ripgrep
  try {
    const { matches, capped } = program === null ? await grepInWorker(request) : await withProgram(parts, program, { ...request, start })
    return { matches: byPath(matches), capped }
  } catch (error) {
    if (codeOf(error) !== 'ETIMEDOUT') throw error
    const words = `The search for ${pattern} took longer than ${request.timeoutMs} ms and was stopped. Search a smaller folder or simplify the pattern.`
    throw new EnvironmentFailure('ETIMEDOUT', words, error)
  }
}

/**
 * Uses ripgrep, except in a folder whose ignore rules ripgrep reads differently from git: in a `.gitignore`, `*.{js,ts}` is literal for
 * git, but ripgrep takes it as two file extensions and would skip files of the project. If Countersign's own search does not support the
 * pattern, ripgrep is used anyway.
 */
async function withProgram(parts: SearchParts, program: string, { start, ...request }: StartedRequest): Promise<GrepResult> {
  if (request.file !== null || !hasOddRules(request.folder)) return withRipgrep(parts, program, { start, ...request })
  try {
    return await grepInWorker(request)
  } catch (error) {
    if (codeOf(error) !== 'EINVAL') throw error
    return withRipgrep(parts, program, { start, ...request })
  }
}

interface StartedRequest extends GrepRequest {
  /** When the search began, in ms since 1970. */
  readonly start: number
}

async function withRipgrep(parts: SearchParts, program: string, { start, ...request }: StartedRequest): Promise<GrepResult> {
  const { table, root } = parts
  const decodable = mayMatchBeyondAscii(request.pattern) ? filesToDecode(table, program, request) : Promise.resolve(new Set<string>())
  const [found, toDecode] = await Promise.all([grepWithRipgrep(table, program, request), decodable])
  const top = await topOf(root, request.folder)
  const matches = await verifiedMatches(found.matches, { ...request, top, start }, request.signal)
  const unreadable = matches.flatMap(({ path, text }) => (text.includes('\ufffd') ? [path] : []))
  const only = [...new Set([...toDecode, ...unreadable])]
  return only.length === 0 ? { matches, capped: found.capped } : withDecoded({ matches, capped: found.capped }, request, only.toSorted())
}

/** ripgrep reads all text as UTF-8, so files in other encodings are searched again by our own search, which decodes them. */
async function withDecoded({ matches, capped }: GrepResult, request: GrepRequest, only: readonly string[]): Promise<GrepResult> {
  try {
    const own = await grepInWorker({ ...request, only })
    const decoded = new Set(only)
    const all = byPath([...matches.filter(({ path }) => !decoded.has(path)), ...own.matches])
    let left = request.maxResults
    const end = all.findIndex(({ isContext }) => !isContext && left-- === 0)
    return { matches: end < 0 ? all : all.slice(0, end), capped: capped || own.capped || end >= 0 }
  } catch (error) {
    // Our own search does not support all patterns, and is slower.
    const code = codeOf(error)
    if (code !== 'EINVAL' && code !== 'ETIMEDOUT') throw error
    return { matches, capped: capped || code === 'ETIMEDOUT' }
  }
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
