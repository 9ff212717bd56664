import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

export const NotebookEditInput = z.object({
  file_path: z.string().min(1).describe('Path of the notebook, absolute or relative to the working directory.'),
  cell_idx: z.union([z.number().int().min(0), z.string().min(1)]).describe('The cell: its number from 0, or its id.'),
  content: z.string().optional().describe('The whole new source of the cell; not needed to delete one.'),
  cell_type: z
    .enum(['code', 'markdown', 'raw'])
    .optional()
    .describe('Kind of the cell; when left out it stays what it is, and a new one is code.'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('replace when left out; insert puts a new cell at cell_idx.'),
  /** The new cell comes behind the one that is named, as other agents insert it. */
  insert_behind: z.boolean().optional().meta(UNLISTED),
})
export type NotebookEditInput = z.infer<typeof NotebookEditInput>

export const notebookEditSpec = {
  name: 'notebook_edit',
  verb: 'Edit',
  description:
    'Replaces the source of one cell of a Jupyter notebook, inserts a cell or deletes one. Everything else in the file stays as it is.',
  input: NotebookEditInput,
} satisfies ToolSpec<typeof NotebookEditInput>
