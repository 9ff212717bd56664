import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GrepMatch } from '../../agent/ports/execution-environment.ts'
import { type FolderRules, rulesOf } from './ignore/folder-ignore-rules.ts'
import type { WorkerAnswer, WorkerRequest } from './grep-in-worker.ts'
import { parseIncludeRule } from './glob/include-rule.ts'
import { matchesIn } from './match-lines.ts'
import { NeedsRipgrep, patternForJavaScript } from './regex/pattern-for-javascript.ts'

/** Maximum size in bytes of a file that is searched. The text of a larger file would exceed the longest possible string. */
const MAX_BYTES = 256 * 1024 * 1024

/** The search for machines without ripgrep. It is synchronous, which makes it three times as fast, and runs in a worker. */
export function searchWithoutRipgrep(request: WorkerRequest): WorkerAnswer {
  let pattern: RegExp
  try {
    pattern = patternForJavaScript(request.pattern, request)
  } catch (error) {
    return { kind: 'invalid', message: whyNot(error) }
  }
  const include = request.includePattern === null ? null : parseIncludeRule(request.includePattern)
  // A negated glob excludes folders too. Other globs do not apply to folders.
  const isIncluded = (path: string, isFolder: boolean): boolean =>
    !include || (isFolder && !include.isNegated) || include.matches(path, isFolder) !== include.isNegated
  const matches: GrepMatch[] = []
  let left = request.maxResults
  for (const path of request.file === null ? filesBelow(request.folder, '', rulesOf(request.folder), isIncluded) : [request.file]) {
    const text = textOfFile(join(request.folder, path))
    if (text === null) continue
    const found = matchesIn(text, pattern, { ...request, maxMatches: left })
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

/** Null if the file is binary, too large or unreadable. */
function textOfFile(path: string): string | null {
  try {
    if (statSync(path).size > MAX_BYTES) return null
    const bytes = readFileSync(path)
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
    return bytes.includes(0) ? null : new TextDecoder().decode(bytes)
  } catch {
    return null
  }
}
