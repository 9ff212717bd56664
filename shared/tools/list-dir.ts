import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

export const ListDirInput = z.object({
  path: z.string().optional().describe('Folder to list. Default: the working directory.'),
  depth: z.number().int().min(1).max(10).optional().describe('Number of levels to show. Default: 1.'),
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
  description: 'Lists a folder, including hidden and ignored files. Folders end with a slash; files are shown with their size in bytes.',
  input: ListDirInput,
} satisfies ToolSpec<typeof ListDirInput>
