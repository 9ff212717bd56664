import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

export const ListDirInput = z.object({
  path: z.string().optional().describe('Folder to list; the working directory when left out.'),
  depth: z.number().int().min(1).max(10).optional().describe('Levels to show; 1, the immediate children, when left out.'),
  ignore: z.array(z.string()).optional().meta(UNLISTED),
  respect_git_ignore: z.boolean().optional().meta(UNLISTED),
})
export type ListDirInput = z.infer<typeof ListDirInput>

export interface ListDirDetails {
  readonly path: string
  /** Entries that are listed. */
  readonly entries: number
  /** There are more. */
  readonly capped: boolean
}

export const listDirSpec = {
  name: 'list_dir',
  verb: 'List',
  description: 'Lists a folder: folders with a slash at their end, files with their size in bytes. Hidden and ignored files are shown too.',
  input: ListDirInput,
} satisfies ToolSpec<typeof ListDirInput>
