import { byReader, modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { joined } from '../../../shared/tools/foreign-arguments/grep-flags.ts'
import type { GrepInput } from '../../../shared/tools/built-in/grep.ts'
import type { GrepMatch, GrepResult } from '../../agent/ports/execution-environment.ts'

/** A search in the form that the environment accepts. */
export interface AskedSearch {
  readonly pattern: string
  readonly include: string | undefined
  readonly caseSensitive: boolean
  readonly contextLines: number
}

/** Combines the arguments of a call, including those from flags, into one pattern and one glob. The failure is a sentence. */
export function askedSearch(input: GrepInput): Result<AskedSearch, ReasonText> {
  const { type, include, flags, invert, multiline, offset, max_count: most } = input
  if (flags !== undefined)
    return failed(
      reason`The flags ${flags} are not supported. ${modelOnly('Supported flags: -i -S -F -w -x -v -l -c -U -A n -B n -C n -m n -g glob -t type. For others, run a command.')}`,
    )
  if (offset !== undefined && offset > 0)
    return failed(reason`There is no offset. ${modelOnly('Ask for more with max_results, or narrow the pattern or the path.')}`)
  if (invert === true && multiline === true) return failed('invert and multiline cannot be combined.')
  if (most !== undefined && multiline === true)
    return failed(reason`${byReader('max_count', 'A number of matches per file')} and multiline cannot be combined.`)
  const ofType = type === undefined ? undefined : globOfType(type)
  if (ofType === null)
    return failed(reason`The file type ${type ?? ''} is not known. ${modelOnly(`Use include with a glob, such as *.${type}.`)}`)
  if (ofType !== undefined && include !== undefined) return failed(modelOnly('Give either a type or include, not both.'))
  const asked = ofType ?? (include === undefined ? undefined : asOneGlob(include))
  const caseSensitive = input.case_sensitive ?? !(input.smart_case === true && !/\p{Lu}/u.test(input.pattern.replaceAll(/\\./gu, '')))
  const [before, after] = contextOf(input)
  return ok({ pattern: patternOf(input), include: asked, caseSensitive, contextLines: Math.max(before, after) })
}

/**
 * Converts `*.ts, *.tsx` to one glob, because other agents accept lists. Globs that contain a comma or space for another reason are not
 * changed.
 */
function asOneGlob(include: string): string {
  const globs = include.split(/[\s,]+/u).filter((glob) => glob !== '')
  const isList = globs.length > 1 && !/[[{(\\]/u.test(include) && globs.every((glob) => glob.includes('*'))
  return (isList ? joined(globs) : null) ?? include
}

function patternOf({ pattern, fixed_strings: isFixed, word, whole_line: isWhole, invert }: GrepInput): string {
  const plain = isFixed === true ? pattern.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`) : pattern
  const asWord = word === true ? String.raw`(?<!\w)(?:${plain})(?!\w)` : plain
  const asLine = isWhole === true ? `^(?:${asWord})$` : asWord
  return invert === true ? `^(?!.*(?:${asLine}))` : asLine
}

function contextOf({ context_lines: both = 0, before_context: before, after_context: after }: GrepInput): readonly [number, number] {
  return [before ?? both, after ?? both]
}

/** Limits a result to the requested number of matches per file and of context lines on each side. */
export function onlyAsked(result: GrepResult, input: GrepInput): GrepResult {
  const [before, after] = contextOf(input)
  if (before === after && input.max_count === undefined) return result
  const files = Map.groupBy(result.matches, ({ path }) => path)
  return { ...result, matches: [...files.values()].flatMap((lines) => ofFile(lines, input.max_count ?? Infinity, before, after)) }
}

function ofFile(lines: readonly GrepMatch[], most: number, before: number, after: number): readonly GrepMatch[] {
  const hits = lines.filter(({ isContext }) => !isContext).slice(0, most)
  const wanted = new Set(hits.flatMap(({ line }) => Array.from({ length: before + after + 1 }, (_, index) => line - before + index)))
  const kept = new Set(hits)
  // As in ripgrep, a match beyond the limit is still shown as context if it is close enough to another match.
  return lines.flatMap((line) => (kept.has(line) ? [line] : wanted.has(line.line) ? [{ ...line, isContext: true }] : []))
}

/** File types of ripgrep's `--type` option for common languages. */
const TYPES: ReadonlyMap<string, string> = new Map(
  (
    [
      [['c'], '*.{c,h}'],
      [['cpp', 'c++'], '*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}'],
      [['cs', 'csharp'], '*.cs'],
      [['css'], '*.{css,scss}'],
      [['dart'], '*.dart'],
      [['docker'], '*Dockerfile*'],
      [['elixir'], '*.{ex,exs,eex,heex}'],
      [['go'], '*.go'],
      [['html'], '*.{html,htm,ejs}'],
      [['java'], '*.{java,jsp}'],
      [['js', 'javascript'], '*.{js,jsx,mjs,cjs,vue}'],
      [['json'], '*.{json,jsonc}'],
      [['kotlin'], '*.{kt,kts}'],
      [['lua'], '*.lua'],
      [['make'], '{[Mm]akefile*,*.mk,*.mak}'],
      [['md', 'markdown'], '*.{md,mdx,markdown,mkd}'],
      [['php'], '*.php'],
      [['py', 'python'], '*.{py,pyi}'],
      [['ruby', 'rb'], '{*.rb,*.gemspec,Gemfile,Rakefile}'],
      [['rust', 'rs'], '*.rs'],
      [['sass', 'scss'], '*.{sass,scss}'],
      [['scala'], '*.{scala,sbt}'],
      [['sh', 'bash', 'shell'], '*.{sh,bash,zsh,ksh}'],
      [['sql'], '*.{sql,psql}'],
      [['svelte'], '*.svelte'],
      [['swift'], '*.swift'],
      [['toml'], '*.toml'],
      [['ts', 'typescript'], '*.{ts,tsx,mts,cts}'],
      [['tsx'], '*.tsx'],
      [['txt'], '*.txt'],
      [['vue'], '*.vue'],
      [['xml'], '*.{xml,xsl,xsd,svg}'],
      [['yaml', 'yml'], '*.{yaml,yml}'],
      [['zig'], '*.zig'],
    ] as const
  ).flatMap(([names, glob]) => names.map((name) => [name, glob] as const)),
)

/** The glob for a file type; null if the type is not known. */
function globOfType(type: string): string | null {
  return TYPES.get(type.toLowerCase()) ?? null
}
