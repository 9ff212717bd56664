import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const GrepInput = z.object({
  pattern: z.string().min(1).describe('Regular expression, as ripgrep understands it.'),
  path: z.string().optional().describe('File or folder to search; the working directory when left out.'),
  case_sensitive: z.boolean().optional().describe('Default true.'),
  include: z.string().optional().describe('Only files that match this glob, such as `*.ts`.'),
  context_lines: z.number().int().min(0).max(20).optional().describe('Lines to show around each match.'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('Default content.'),
  multiline: z.boolean().optional().describe('Let a match span lines.'),
  max_results: z.number().int().min(1).max(10_000).optional().describe('At most so many matches in all; default 100.'),
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
  description: 'Searches file contents with a regular expression. Respects .gitignore. Lines come as `path:line:text`.',
  input: GrepInput,
} satisfies ToolSpec<typeof GrepInput>
