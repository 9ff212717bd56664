import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

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
  /** Those that mean nothing here; the search is refused. */
  flags: z.string().optional().meta(UNLISTED),
})
export type GrepInput = z.infer<typeof GrepInput>

export interface GrepDetails {
  readonly pattern: string
  readonly matches: number
  readonly files: number
  /** The search stopped at its limit, so there may be more. */
  readonly capped: boolean
  /** The first 50, for the screen. */
  readonly hits: readonly { readonly path: string; readonly line: number; readonly text: string }[]
}

export const grepSpec = {
  name: 'grep',
  verb: 'Search',
  description: 'Searches the contents of files and returns matches as `path:line:text`. Skips what .gitignore excludes.',
  input: GrepInput,
} satisfies ToolSpec<typeof GrepInput>
