import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { detectedEncoding } from '../../../shared/encodings/detect-encoding.ts'
import type { GrepMatch } from '../../agent/ports/execution-environment.ts'
import { orNull } from '../environment-failure.ts'
import { type FolderRules, rulesOf } from './ignore/folder-ignore-rules.ts'
import type { WorkerAnswer, WorkerRequest } from './grep-in-worker.ts'
import { parseIncludeRule } from './glob/include-rule.ts'
import { type LinesFound, decoderFor, matchesIn } from './match-lines.ts'
import { NeedsRipgrep, patternForJavaScript } from './pattern-for-javascript.ts'

/** Maximum size in bytes of a file that is searched. The text of a larger file would exceed the longest possible string. */
const MAX_BYTES = 256 * 1024 * 1024

/** The search for machines without ripgrep, with plain patterns, line by line. It is synchronous, which makes it three times as fast, and runs in a worker. */
export function searchWithoutRipgrep(request: WorkerRequest): WorkerAnswer {
  let pattern: RegExp
  try {
    if (request.multiline) throw new NeedsRipgrep('to match across lines')
    pattern = patternForJavaScript(request.pattern, request.caseSensitive)
  } catch (error) {
    return { kind: 'invalid', message: whyNot(error) }
  }
  const include = request.includePattern === null ? null : parseIncludeRule(request.includePattern)
  // A negated glob excludes folders too. Other globs do not apply to folders.
  const isIncluded = (path: string, isFolder: boolean): boolean =>
    !include || (isFolder && !include.isNegated) || include.matches(path, isFolder) !== include.isNegated
  const matches: GrepMatch[] = []
  let left = request.maxResults
  const files = request.file === null ? filesBelow(request.folder, '', rulesOf(request.folder), isIncluded) : [request.file]
  for (const path of files) {
    const found = inFile(join(request.folder, path), (text) => matchesIn(text, pattern, { ...request, maxMatches: left }))
    if (found === null) continue
    for (const line of found.lines) matches.push({ path, ...line })
    left -= found.count
    if (found.capped) return { kind: 'found', matches, capped: true }
  }
  return { kind: 'found', matches, capped: false }
}

function whyNot(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof NeedsRipgrep)) return `regex parse error: ${message}`
  return `The pattern has ${message}, which needs ripgrep (rg), and ripgrep is not installed here. Use a simpler pattern, or install ripgrep.`
}

/** Yields relative paths with `/`. Links are not followed, and folders that cannot be read are skipped. */
function* filesBelow(
  folder: string,
  prefix: string,
  rules: FolderRules,
  isIncluded: (path: string, isFolder: boolean) => boolean,
): Iterable<string> {
  for (const entry of entriesOf(folder)) {
    const path = `${prefix}${entry.name}`
    const isFolder = entry.isDirectory()
    if (rules.ignores(entry.name, isFolder) || !isIncluded(path, isFolder)) continue
    if (isFolder) yield* filesBelow(join(folder, entry.name), `${path}/`, rules.enter(entry.name), isIncluded)
    else if (entry.isFile()) yield path
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * Searches the text of a file. Null if the file is binary, too large or unreadable, or if its path now leads elsewhere because a command
 * replaced a folder with a link.
 */
function inFile(path: string, search: (text: string) => LinesFound): LinesFound | null {
  const file = orNull(() => openSync(path, OPEN_FLAGS))
  if (file === null) return null
  try {
    const text = orNull(() => textOf(file))
    const found = text === null ? null : search(text)
    // It takes time to check where a file is, and most files have no match, so only files with a match are checked.
    return found && (found.lines.length === 0 || isAt(path, file)) ? found : null
  } finally {
    closeSync(file)
  }
}

function textOf(file: number): string | null {
  const found = fstatSync(file)
  if (!found.isFile() || found.size > MAX_BYTES) return null
  const bytes = readFileSync(file)
  const decoder = decoderFor(bytes)
  if (decoder.encoding !== 'utf-8') return decoder.decode(bytes)
  if (bytes.includes(0)) return null
  // Text that is not UTF-8 is read as it is shown.
  return isUtf8(bytes) ? decoder.decode(bytes) : new TextDecoder(detectedEncoding(bytes) ?? 'windows-1252').decode(bytes)
}

/** Does not follow a link, and does not block on a FIFO. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Whether an open file is at its real path, or was there until it was deleted or replaced. */
function isAt(path: string, file: number): boolean {
  const real = orNull(() => (process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync.native(path)))
  return real === path || real === `${path} (deleted)`
}
