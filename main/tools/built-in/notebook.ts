import { modelOnly, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import {
  type NotebookEditInput,
  notebookEditSpec,
  type NotebookReadInput,
  notebookReadSpec,
} from '../../../shared/tools/built-in/notebook.ts'
import type { PathFacts, PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { editNotebook } from '../documents/edit-notebook.ts'
import { cellText, notebookCells, notebookText } from '../documents/notebook-cells.ts'
import { doesNotExist } from '../files/near-names.ts'
import {
  CHANGED_SINCE_READ,
  commitWrite,
  type LineCounter,
  subjectMeant,
  unreadPrivate,
  unwritable,
  writeDetails,
  writeEffect,
} from '../files/file-write.ts'
import { locate, rejected, shownPath } from '../define/tool-path.ts'
import { bytesToRead, readEffects } from './read-file.ts'
import { decodeText, encodeText, type TextForm, textFormOf } from '../text/encoding.ts'
import { omissionPlaceholder } from '../text/omission-placeholder.ts'

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
  if (!cells) return failure(reason`${shown} is not a Jupyter notebook of format 4. ${modelOnly('Read it as a plain file.')}`)
  // The model did not see the actual text, so it must not replace the entire file.
  run.saw(place.path, bytes, { ranges: [], total: cells.length })
  if (asked === undefined)
    return { output: cells.length === 0 ? '(The notebook has no cells.)' : notebookText(cells), isError: false, details: null }
  const index = typeof asked === 'number' ? asked : cells.findIndex(({ id }) => id === asked)
  const cell = cells[index]
  if (!cell) return failure(`${shown} has no cell ${asked}; it has ${cells.length === 0 ? 'none' : `cells 0 to ${cells.length - 1}`}.`)
  return { output: cellText(cell, index), isError: false, details: null }
}

const DONE = { replace: 'Replaced', insert: 'Inserted', delete: 'Deleted' } as const

export function createNotebookEditTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(notebookEditSpec, (input, context) => prepare(input, context, parts.countLines))
}

async function prepare(input: NotebookEditInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const { cell_idx: cell, content = '', cell_type: cellType = null, edit_mode: mode = 'replace' } = input
  if (mode !== 'delete' && input.content === undefined) return rejected(`content is missing. It is needed to ${mode} a cell.`)
  const flaw = unwritable(content, 'content')
  if (flaw !== null) return rejected(flaw)
  const subject = await subjectMeant(input.file_path, context)
  if (!subject.ok) return rejected(subject.failure)
  const { bytes, place, seen } = subject.value
  const shown = shownPath(place.shown)
  if (bytes === null) return rejected(await doesNotExist(context.env, place, ''))
  if (seen === 'changed') return rejected(reason`${shown} ${CHANGED_SINCE_READ}`)
  const unread = unreadPrivate(subject.value)
  if (unread !== null) return rejected(unread)
  const form = textFormOf(bytes)
  if (form === null || form.encoding === 'unknown') return rejected(`${shown} is not a Jupyter notebook.`)
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const omission = omissionPlaceholder(content, text)
  if (omission !== null)
    return rejected(
      reason`content omits code: "${omission}". ${modelOnly('It replaces the whole source of the cell, so include all of the code.')}`,
    )
  const isBehind = input.insert_behind === true
  const edited = editNotebook(text, { mode, cell, isBehind, content, cellType })
  if (!edited.ok) return rejected(reason`${shown} was not changed: ${edited.failure}`)
  if (edited.value === text) {
    const output = `Cell ${cell} of ${shown} already has this content. Nothing was written.`
    return { kind: 'ready', effects: [], commit: () => Promise.resolve({ output, isError: false, details: { files: [] } }) }
  }
  const effect = await writeEffect(subject.value, withMark(bytes, form, edited.value), context, countLines)
  // The model sees cells, never the actual text of the file, so no line counts as seen.
  const nothing = { ranges: [], total: 0 }
  const words =
    mode === 'insert' && isBehind ? `Inserted a cell after cell ${cell} of ${shown}.` : `${DONE[mode]} cell ${cell} of ${shown}.`
  return {
    kind: 'ready',
    effects: [effect],
    commit: async (run) => (await commitWrite(effect, run, nothing)) ?? { output: words, isError: false, details: writeDetails([effect]) },
  }
}

function withMark(bytes: Uint8Array, form: TextForm, text: string): Uint8Array {
  return Buffer.concat([bytes.subarray(0, form.bom), encodeText(text, form.encoding) ?? new Uint8Array(0)])
}
