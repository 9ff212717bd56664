import type { ReasonText } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import { type GrepDetails, type GrepInput, grepSpec } from '../../../shared/tools/built-in/grep.ts'
import type { GrepMatch, GrepResult } from '../../agent/ports/execution-environment.ts'
import type { PathFacts, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { readEffects } from './read-file.ts'
import { type AskedSearch, askedSearch, onlyAsked } from '../search/grep-arguments.ts'
import { type Listing, listingOf } from '../search/grep-listing.ts'
import { withLiteralNames } from '../search/literal-names.ts'
import { listedNames } from '../../../shared/lib/short-count.ts'
import { doesNotExist } from '../files/near-names.ts'
import { fileFailure, leadsElsewhere, locate, rejected, shownPath } from '../define/tool-path.ts'

/** Maximum number of matches if the call sets no limit. */
const DEFAULT_RESULTS = 100
/** Maximum number of matches that are considered for a list of files or counts, where many matches become one line. */
const MATCHES_FOR_FILES = 50_000
/** Maximum number of hits that are stored for the screen. */
const SHOWN_HITS = 50

export function createGrepTool(): Tool {
  return defineTool(grepSpec, async (input, context) => {
    if (input.pattern.includes('\0')) return rejected('The pattern contains a NUL character.')
    const asked = askedSearch(input)
    if (!asked.ok) return rejected(asked.failure)
    // An empty path counts as absent.
    const place = await locate(context, input.path || context.env.workingDirectory())
    if (!place.ok) return rejected(place.failure)
    const effects = readEffects([place.value])
    return { kind: 'ready', effects, commit: (run) => search(input, asked.value, place.value, run) }
  })
}

async function search(input: GrepInput, asked: AskedSearch, place: PathFacts, run: RunContext): Promise<ToolOutput> {
  const mode = input.output_mode ?? 'content'
  const most = input.max_results ?? DEFAULT_RESULTS
  let result: GrepResult
  let withheld: readonly string[] | undefined
  let isFile: boolean
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    isFile = (await run.env.stat(place.path))?.kind === 'file'
    const include = asked.include === undefined ? undefined : await withLiteralNames(asked.include, place.path, run.env)
    const found = await run.env.grep(asked.pattern, place.path, {
      caseSensitive: asked.caseSensitive,
      maxResults: mode === 'content' && input.max_count === undefined ? most : MATCHES_FOR_FILES,
      contextLines: mode === 'content' ? asked.contextLines : 0,
      multiline: input.multiline ?? false,
      signal: run.signal,
      real: true,
      ...(include !== undefined && { includePattern: include }),
    })
    withheld = found.withheld
    result =
      mode === 'content'
        ? capped(onlyAsked(found, input), most, input.after_context ?? input.context_lines ?? 0)
        : onlyAsked(found, { ...input, context_lines: 0 })
  } catch (error) {
    run.signal.throwIfAborted()
    return failure(await whyNot(error, place, run))
  }
  if (result.matches.length === 0 && input.multiline !== true && /\n|\\n/u.test(input.pattern)) return noMatches(input, NO_LINE_BREAKS)
  if (result.matches.length === 0 && !isFile && (await picksNothing(asked.include, place, run))) {
    return noMatches(input, `No matches: no searched file matches the include pattern ${asked.include}.`)
  }
  const named = result.matches.map((match) => ({ ...match, path: nameOf(match, place, isFile) }))
  const listing = listingOf({ matches: named, capped: result.capped }, mode, most)
  return { output: [listing.text, ...notShown(withheld)].join('\n'), isError: false, details: details(input, named, listing) }
}

/**
 * Limits the total number of matches, because a limit for each file still allows too many in total. The context lines before the first
 * dropped match are also dropped.
 */
function capped(result: GrepResult, most: number, after: number): GrepResult {
  let hits = 0
  const end = result.matches.findIndex(({ isContext }) => !isContext && ++hits > most)
  if (end < 0) return result
  const kept = result.matches.slice(0, end)
  const last = kept.findLastIndex(({ isContext }) => !isContext)
  const { path, line } = kept[last] ?? { path: '', line: 0 }
  const shown = kept.filter((each, index) => index <= last || (each.path === path && each.line <= line + after))
  return { matches: shown, capped: true }
}

/** A pattern with a line break never matches a single line. The answer "No matches." alone would not explain this. */
const NO_LINE_BREAKS =
  'No matches. The pattern contains a line break, and lines are searched one by one: set multiline to search across them.'

/** Names the files whose matches the environment withheld. */
const notShown = (withheld: readonly string[] = []): readonly string[] =>
  withheld.length === 0
    ? []
    : [
        `Matches in ${listedNames(withheld.map(shownPath), 10)} are not shown, because these files may hold secrets. Read one to ask for it.`,
      ]

function noMatches(input: GrepInput, output: string): ToolOutput {
  return { output, isError: false, details: details(input, [], { text: output, capped: false }) }
}

/** Whether an include pattern matches no file at all. A pattern without a slash applies to file names in every folder. */
async function picksNothing(include: string | undefined, place: PathFacts, run: RunContext): Promise<boolean> {
  if (include === undefined || /^\s*$|^!(?!\()|\/$/u.test(include)) return false
  const names = await withLiteralNames(include, place.path, run.env)
  const glob = names.includes('/') ? names.replace(/^\/+/u, '') : `**/${names.trimEnd()}`
  const found = await run.env.glob(glob, place.path, { maxResults: 1, signal: run.signal, real: true }).catch(() => null)
  run.signal.throwIfAborted()
  return found?.total === 0
}

async function whyNot(error: unknown, place: PathFacts, run: RunContext): Promise<ReasonText> {
  const { code, message } = fileFailure(error)
  return code === 'ENOENT' ? doesNotExist(run.env, place, '') : message
}

/** The path relative to the working directory, or the absolute path if the file is elsewhere. */
function nameOf(match: GrepMatch, place: PathFacts, isFile: boolean): string {
  if (isFile) return place.shown
  return place.shown === '.' ? match.path : `${place.shown.replace(/\/$/u, '')}/${match.path}`
}

function details(input: GrepInput, matches: readonly GrepMatch[], { capped }: Listing) {
  const hits = matches.filter((match) => !match.isContext)
  return {
    pattern: input.pattern,
    matches: hits.length,
    files: new Set(hits.map((hit) => hit.path)).size,
    capped,
    hits: hits.slice(0, SHOWN_HITS).map(({ path, line, text }) => ({ path, line, text: text.slice(0, 300).toWellFormed() })),
  } satisfies GrepDetails
}
