import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import { isAbsolute, join } from 'node:path'
import { type GlobDetails, type GlobInput, globSpec } from '../../../shared/tools/built-in/glob.ts'
import type { ReadEffect } from '../../../shared/session/effects.ts'
import type { GlobResult } from '../../agent/ports/execution-environment.ts'
import { type Result, ok } from '../../../shared/lib/result.ts'
import type { PathFacts, PrepareContext, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { type GlobStart, globStart } from '../search/glob-start.ts'
import { withLiteralNames } from '../search/literal-names.ts'
import { fileFailure, leadsElsewhere, locate, rejected, shownPath } from '../define/tool-path.ts'

/**
 * Maximum number of paths and of characters in a list. They are below the truncation limits, because a truncation would keep the end of
 * the list and drop the newest files. One line is reserved for the note.
 */
const MAX_PATHS = 499
const MAX_OUTPUT_CHARS = 19_500
/** Maximum number of paths that are stored for the screen. */
const SHOWN_PATHS = 100

export function createGlobTool(): Tool {
  return defineTool(globSpec, async (input, context) => {
    const start = globStart(input.pattern)
    if (start === null)
      return rejected(
        reason`The pattern contains ".." after a wildcard. ${modelOnly('Give the folder to start in as path, and a pattern relative to that folder.')}`,
      )
    // An empty path counts as absent.
    const found = await searched(input.path || context.env.workingDirectory(), start, context)
    if (!found.ok) return rejected(found.failure)
    const { place, pattern } = found.value
    const effects: readonly ReadEffect[] = place.outside ? [{ kind: 'read', ...place }] : []
    return { kind: 'ready', effects, commit: (run) => list(input, pattern, place, run) }
  })
}

/** The real path of the folder to search, and the pattern below it. If the pattern starts with a link, the link's target is searched. */
async function searched(path: string, start: GlobStart, context: PrepareContext): Promise<Result<Searched, ReasonText>> {
  const place = await locate(context, folderOf(path, start.folder))
  if (!place.ok) return place
  const named = ok({ place: place.value, pattern: start.pattern })
  if (start.folder !== null || start.plain === '') return named
  const deeper = await locate(context, join(place.value.path, start.plain))
  if (!deeper.ok) return deeper
  return deeper.value.path === join(place.value.path, start.plain) ? named : ok({ place: deeper.value, pattern: start.rest })
}

interface Searched {
  readonly place: PathFacts
  readonly pattern: string
}

/** A pattern that starts at the root or the home folder overrides the path. */
function folderOf(path: string, named: string | null): string {
  if (named === null) return path
  return isAbsolute(named) || named.startsWith('~') ? named : join(path, named)
}

async function list(input: GlobInput, pattern: string, place: PathFacts, run: RunContext): Promise<ToolOutput> {
  let result: GlobResult
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    result = await run.env.glob(await withLiteralNames(pattern, place.path, run.env), place.path, {
      maxResults: MAX_PATHS,
      signal: run.signal,
      real: true,
      caseSensitive: input.case_sensitive ?? true,
      ignored: input.respect_git_ignore === false,
    })
  } catch (error) {
    run.signal.throwIfAborted()
    return failure(fileFailure(error).message)
  }
  const prefix = place.shown === '.' ? '' : `${place.shown.replace(/\/$/u, '')}/`
  const paths = fitting(result.paths.map((path) => shownPath(prefix + path)))
  const capped = paths.length < result.total
  const note = capped ? [`(${paths.length} of ${result.total} are shown, the newest first. Narrow the pattern.)`] : []
  return {
    output: result.total === 0 ? await nothing(pattern, place, run) : [...paths, ...note].join('\n'),
    isError: false,
    details: { pattern: input.pattern, total: result.total, capped, paths: paths.slice(0, SHOWN_PATHS) } satisfies GlobDetails,
  }
}

/** Explains why there may be no files: only files are listed, and `!` has no meaning here. */
async function nothing(pattern: string, place: PathFacts, run: RunContext): Promise<string> {
  if (pattern.startsWith('!')) return 'No files match. A ! at the beginning is an ordinary character here; a pattern cannot exclude files.'
  const isPlain = !/[*?[\]{}()!\\\0]/u.test(pattern)
  const named = isPlain ? await run.env.stat(join(place.path, pattern)).catch(() => null) : null
  return named?.kind === 'folder'
    ? `No files match. ${pattern} is a folder: ${join(pattern, '**')} lists the files in it.`
    : 'No files match.'
}

function fitting(paths: readonly string[]): readonly string[] {
  let chars = 0
  const end = paths.findIndex((path) => (chars += path.length + 1) > MAX_OUTPUT_CHARS)
  return end < 0 ? paths : paths.slice(0, end)
}
