import { type NotebookReadInput, notebookReadSpec } from '../../shared/tools/notebook-read.ts'
import type { PathFacts, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { cellText, notebookCells, notebookText } from './documents/notebook.ts'
import { failure, locate, rejected, shownPath } from './outcome.ts'
import { bytesToRead, readEffects } from './read-file.ts'
import { decodeText, textFormOf } from './text/encoding.ts'

/** R-25. */
export function createNotebookReadTool(): Tool {
  return defineTool(notebookReadSpec, async (input, context) => {
    const place = await locate(context, input.file_path)
    if (!place.ok) return rejected(place.failure)
    return { kind: 'ready', effects: readEffects([place.value]), commit: (run) => read(place.value, input, run) }
  })
}

async function read(named: PathFacts, { cell_idx: asked }: NotebookReadInput, run: RunContext): Promise<ToolOutput> {
  const found = await bytesToRead(named, run)
  if (!('bytes' in found)) return found
  const { bytes, place } = found
  const form = textFormOf(bytes)
  const cells = form && notebookCells(decodeText(bytes.subarray(form.bom), form.encoding))
  const shown = shownPath(place.shown)
  if (!cells) return failure(`${shown} is not a Jupyter notebook of format 4. Read it as a plain file.`)
  // Its own text was not seen: it may not be replaced as if it had been.
  run.saw(place.path, bytes, { ranges: [], total: cells.length })
  if (asked === undefined)
    return { output: cells.length === 0 ? '(The notebook has no cells.)' : notebookText(cells), isError: false, details: null }
  const index = typeof asked === 'number' ? asked : cells.findIndex(({ id }) => id === asked)
  const cell = cells[index]
  if (!cell) return failure(`${shown} has no cell ${asked}; it has ${cells.length === 0 ? 'none' : `cells 0 to ${cells.length - 1}`}.`)
  return { output: cellText(cell, index), isError: false, details: null }
}
