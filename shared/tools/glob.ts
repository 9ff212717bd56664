import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

export const GlobInput = z.object({
  pattern: z.string().min(1).describe('Glob such as `src/**/*.ts`.'),
  path: z.string().optional().describe('Folder to search. Default: the working directory.'),
  case_sensitive: z.boolean().optional().meta(UNLISTED),
  respect_git_ignore: z.boolean().optional().meta(UNLISTED),
})
export type GlobInput = z.infer<typeof GlobInput>

export interface GlobDetails {
  readonly pattern: string
  readonly total: number
  readonly capped: boolean
  /** The first 100, newest first, for the screen. */
  readonly paths: readonly string[]
}

export const globSpec = {
  name: 'glob',
  verb: 'Find',
  description: 'Lists files whose path matches a glob, newest first. Skips what .gitignore excludes.',
  input: GlobInput,
} satisfies ToolSpec<typeof GlobInput>
