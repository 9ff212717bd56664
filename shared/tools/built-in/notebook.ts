import { z } from 'zod'
import { FILE_PATH, named, rename } from '../foreign-arguments/argument-aliases.ts'
import { NO_DRY_RUN } from '../foreign-arguments/argument-refusals.ts'
import { NO_DETAILS, toolSpec, UNLISTED } from '../spec/tool-spec.ts'
import { type CallFacts, filesLine, pathLine, textArgument } from '../spec/call-line.ts'
import { WriteDetails } from './write-file.ts'

const NOTEBOOK = {
  ...FILE_PATH,
  notebook_path: rename('file_path'),
  ...named(['cell_id', 'cell_number', 'cell', 'cell_index', 'index'], rename('cell_idx')),
  ...named(['new_source', 'source'], rename('content')),
  cellType: rename('cell_type'),
  operation: rename('edit_mode'),
}

function cellWords({ args }: CallFacts): string {
  const cell = args?.['cell_idx']
  return typeof cell === 'number' || typeof cell === 'string' ? `cell ${cell}` : ''
}

export const NotebookReadInput = z.object({
  file_path: z.string().min(1).describe('Path of the notebook, absolute or relative to the working directory.'),
  cell_idx: z
    .union([z.number().int().min(0), z.string().min(1)])
    .optional()
    .describe('Return only this cell: its number, starting at 0, or its id.'),
})
export type NotebookReadInput = z.infer<typeof NotebookReadInput>

export const notebookReadSpec = toolSpec({
  name: 'notebook_read',
  verb: 'Read',
  description: 'Returns the cells of a Jupyter notebook with their numbers and outputs.',
  use: 'Use it to read Jupyter notebooks.',
  input: NotebookReadInput,
  reads: 'project',
  details: NO_DETAILS,
  line: (call) => pathLine('Read', textArgument(call, 'file_path'), cellWords(call)),
  otherNames: ['NotebookRead'],
  aliases: NOTEBOOK,
})

export const NotebookEditInput = z.object({
  file_path: z.string().min(1).describe('Path of the notebook, absolute or relative to the working directory.'),
  cell_idx: z.union([z.number().int().min(0), z.string().min(1)]).describe('The cell: its number, starting at 0, or its id.'),
  content: z.string().optional().describe('The complete new source of the cell. Not needed for a deletion.'),
  cell_type: z.enum(['code', 'markdown', 'raw']).optional().describe('Type of the cell. Default: unchanged; code for a new cell.'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('Default: replace. insert puts a new cell at cell_idx.'),
  /** Whether the new cell is inserted after the given cell, as other agents do. */
  insert_behind: z.boolean().optional().meta(UNLISTED),
})
export type NotebookEditInput = z.infer<typeof NotebookEditInput>

export const notebookEditSpec = toolSpec({
  name: 'notebook_edit',
  verb: 'Edit',
  description: 'Replaces the source of a cell in a Jupyter notebook, inserts a cell or deletes one.',
  use: 'Use it to change notebook cells.',
  input: NotebookEditInput,
  details: WriteDetails,
  line: (call) => filesLine('Edit', call, [textArgument(call, 'file_path')], cellWords(call)),
  otherNames: ['NotebookEdit'],
  // Agents that call the argument `cell_id` insert after this cell.
  aliases: { ...NOTEBOOK, cell_id: (value) => ({ cell_idx: value, insert_behind: true }) },
  refuses: NO_DRY_RUN,
})
