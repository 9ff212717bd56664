import { z } from 'zod'
import { type Alias, FOLDER, named, negated, rename } from '../foreign-arguments/argument-aliases.ts'
import { grepFlags } from '../foreign-arguments/grep-flags.ts'
import { each, EXCLUSIONS } from '../foreign-arguments/argument-refusals.ts'
import { callLine, joined, textArgument } from '../spec/call-line.ts'
import { toolSpec, UNLISTED } from '../spec/tool-spec.ts'

export const GrepInput = z.object({
  pattern: z.string().min(1).describe('Regular expression in ripgrep syntax.'),
  path: z.string().optional().describe('File or folder to search. Default: the working directory.'),
  case_sensitive: z.boolean().optional().describe('Default: true.'),
  include: z.string().optional().describe('Search only files that match this glob, such as `*.ts`.'),
  context_lines: z.number().int().min(0).max(20).optional().describe('Lines to show before and after each match.'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('Default: content.'),
  multiline: z.boolean().optional().describe('Allow a match to span lines.'),
  max_results: z.number().int().min(1).max(10_000).optional().describe('Maximum number of matches in total. Default: 100.'),
  before_context: z.number().int().min(0).max(20).optional().meta(UNLISTED),
  after_context: z.number().int().min(0).max(20).optional().meta(UNLISTED),
  max_count: z.number().int().min(1).optional().meta(UNLISTED),
  fixed_strings: z.boolean().optional().meta(UNLISTED),
  word: z.boolean().optional().meta(UNLISTED),
  whole_line: z.boolean().optional().meta(UNLISTED),
  invert: z.boolean().optional().meta(UNLISTED),
  smart_case: z.boolean().optional().meta(UNLISTED),
  type: z.string().optional().meta(UNLISTED),
  offset: z.number().optional().meta(UNLISTED),
  /** Flags that are not supported. With such flags, the search is refused. */
  flags: z.string().optional().meta(UNLISTED),
})
export type GrepInput = z.infer<typeof GrepInput>

export const GrepDetails = z.object({
  pattern: z.string(),
  matches: z.number(),
  files: z.number(),
  /** Whether the search stopped at its limit, so that there may be more hits. */
  capped: z.boolean().default(false),
  /** The first 50 hits. */
  hits: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })),
})
export type GrepDetails = z.infer<typeof GrepDetails>

const HOW: Readonly<Record<string, string>> = { files_with_matches: 'which files', count: 'how often in each file' }

const IGNORED = 'What .gitignore excludes is skipped. To search it, give the file or folder as path.'

const flag =
  (flags: string): Alias =>
  (value) =>
    value === true ? grepFlags(flags) : {}

export const grepSpec = toolSpec({
  name: 'grep',
  verb: 'Search',
  description: 'Searches the contents of files and returns matches as `path:line:text`. Skips what .gitignore excludes.',
  use: 'Use it to find where something is defined or used. Search instead of guessing.',
  input: GrepInput,
  reads: 'project',
  details: GrepDetails,
  line(call) {
    const path = textArgument(call, 'path')
    const include = textArgument(call, 'include')
    const where = [path === '' ? '' : `in ${path}`, include === '' ? '' : `only ${include}`, HOW[textArgument(call, 'output_mode')] ?? '']
    return callLine('Search', textArgument(call, 'pattern'), joined(where, ', '))
  },
  otherNames: ['Grep', 'search_file_content'],
  aliases: {
    ...FOLDER,
    ...named(['query', 'regex'], rename('pattern')),
    ...named(['glob', 'glob_filter', 'include_pattern', 'include_glob', '-g'], rename('include')),
    ...named(['case_insensitive', 'ignore_case', '-i'], negated('case_sensitive')),
    ...named(['context', '-C'], rename('context_lines')),
    ...named(['-A', 'after'], rename('after_context')),
    ...named(['-B', 'before'], rename('before_context')),
    ...named(['-m', 'max_matches_per_file'], rename('max_count')),
    ...named(['-t', 'file_type'], rename('type')),
    ...Object.fromEntries(['-l', '-c', '-w', '-x', '-v', '-F', '-S', '-U', '-o'].map((name) => [name, flag(name)])),
    ...named(['files_with_matches', 'files_only', 'names_only'], flag('-l')),
    count: flag('-c'),
    ...named(['whole_word', 'word_regexp'], flag('-w')),
    line_regexp: flag('-x'),
    invert_match: flag('-v'),
    literal: rename('fixed_strings'),
    ...named(['head_limit', 'limit', 'total_max_matches', 'max_matches'], rename('max_results')),
    mode: rename('output_mode'),
    flags: grepFlags,
  },
  refuses: {
    ...each(EXCLUSIONS, { why: 'Use include with ! in front of a glob to exclude paths.' }),
    ...each(['no_ignore', 'include_ignored'], { why: IGNORED }),
    respect_git_ignore: { why: IGNORED, when: (value) => value === false },
    ...each(['only_matching', 'max_depth', 'replace'], { why: 'Run a command for that.' }),
  },
})
