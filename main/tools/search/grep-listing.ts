import type { GrepInput } from '../../../shared/tools/built-in/grep.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { GrepMatch, GrepResult } from '../../agent/ports/execution-environment.ts'
import { shownPath } from '../define/tool-path.ts'

export interface Listing {
  readonly text: string
  /** Whether the list is incomplete. */
  readonly capped: boolean
}

/**
 * The result of a search as text: `path:line:text`, with context as `path-line-text` and `--` between the groups; or paths; or
 * `path:count`. `most` is the maximum number of matching lines, paths or counts.
 */
export function listingOf(result: GrepResult, mode: NonNullable<GrepInput['output_mode']>, most: number): Listing {
  const counts = countsOf(result.matches)
  if (counts.size === 0) return { text: 'No matches.', capped: false }
  switch (mode) {
    case 'content':
      return noted(groupsOf(result.matches), result.capped, `the first ${most} matches are shown`)
    case 'files_with_matches':
      return cut([...counts.keys()].map(shownPath), result.capped, most, 'files')
    case 'count':
      return cut(
        [...counts].map(([path, count]) => `${shownPath(path)}:${count}`),
        result.capped,
        most,
        'files',
      )
    default:
      return assertNever(mode, 'output mode')
  }
}

function countsOf(matches: readonly GrepMatch[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path, isContext } of matches) if (!isContext) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

function groupsOf(matches: readonly GrepMatch[]): readonly string[] {
  const withContext = matches.some((match) => match.isContext)
  return matches.flatMap((match, index) => {
    const before = matches[index - 1]
    const isNewGroup = withContext && before !== undefined && (before.path !== match.path || match.line > before.line + 1)
    return isNewGroup ? ['--', lineOf(match)] : [lineOf(match)]
  })
}

function lineOf({ path, line, text, isContext }: GrepMatch): string {
  const sign = isContext ? '-' : ':'
  return `${shownPath(path)}${sign}${line}${sign}${text.replace(/\r?\n?$/u, '')}`
}

function cut(lines: readonly string[], capped: boolean, most: number, what: string): Listing {
  return noted(lines.slice(0, most), capped || lines.length > most, `the first ${most} ${what} are shown, and counts may be too low`)
}

function noted(lines: readonly string[], capped: boolean, note: string): Listing {
  const all = capped ? [...lines, `(There is more: ${note}. Narrow the pattern or the path.)`] : lines
  return { text: all.join('\n'), capped }
}
