import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const NotebookReadInput = z.object({
  file_path: z.string().min(1).describe('Path of the notebook, absolute or relative to the working directory.'),
  cell_idx: z
    .union([z.number().int().min(0), z.string().min(1)])
    .optional()
    .describe('Return only this cell: its number, starting at 0, or its id.'),
})
export type NotebookReadInput = z.infer<typeof NotebookReadInput>

export const notebookReadSpec = {
  name: 'notebook_read',
  verb: 'Read',
  description: 'Returns the cells of a Jupyter notebook with their numbers and outputs.',
  input: NotebookReadInput,
} satisfies ToolSpec<typeof NotebookReadInput>
