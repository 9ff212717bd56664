import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

export const NotebookEditInput = z.object({
  file_path: z.string().min(1).describe('Path of the notebook, absolute or relative to the working directory.'),
  cell_idx: z.union([z.number().int().min(0), z.string().min(1)]).describe('The cell: its number, starting at 0, or its id.'),
  content: z.string().optional().describe('The complete new source of the cell. Not needed for a deletion.'),
  cell_type: z.enum(['code', 'markdown', 'raw']).optional().describe('Type of the cell. Default: unchanged; code for a new cell.'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('Default: replace. insert puts a new cell at cell_idx.'),
  /** The new cell comes behind the one that is named, as other agents insert it. */
  insert_behind: z.boolean().optional().meta(UNLISTED),
})
export type NotebookEditInput = z.infer<typeof NotebookEditInput>

export const notebookEditSpec = {
  name: 'notebook_edit',
  verb: 'Edit',
  description: 'Replaces the source of a cell in a Jupyter notebook, inserts a cell or deletes one.',
  input: NotebookEditInput,
} satisfies ToolSpec<typeof NotebookEditInput>
