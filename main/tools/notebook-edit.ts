import { type NotebookEditInput, notebookEditSpec } from '../../shared/tools/notebook-edit.ts'
import type { PrepareContext, Prepared, Tool } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { editNotebook } from './documents/edit-notebook.ts'
import { doesNotExist } from './files/near-names.ts'
import { rejected, shownPath } from './outcome.ts'
import { type TextForm, decodeText, encodeText, textFormOf } from './text/encoding.ts'
import { omissionIn } from './text/omission.ts'
import { unwritable } from './files/unwritable.ts'
import { commitWrite } from './files/write-commit.ts'
import { writeDetails } from './write-file.ts'
import { CHANGED_SINCE_READ, type LineCounter, subjectMeant, unreadOutside, writeEffect } from './files/write-subject.ts'

const DONE = { replace: 'Replaced', insert: 'Inserted', delete: 'Deleted' } as const

/** */
export function createNotebookEditTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(notebookEditSpec, (input, context) => prepare(input, context, parts.countLines))
}

async function prepare(input: NotebookEditInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const { cell_idx: cell, content = '', cell_type: cellType = null, edit_mode: mode = 'replace' } = input
  if (mode !== 'delete' && input.content === undefined) return rejected(`content is missing; to ${mode} a cell it is needed.`)
  const flaw = unwritable(content, 'content')
  if (flaw !== null) return rejected(flaw)
  const subject = await subjectMeant(input.file_path, context)
  if (!subject.ok) return rejected(subject.failure)
  const { bytes, place, seen } = subject.value
  const shown = shownPath(place.shown)
  if (bytes === null) return rejected(await doesNotExist(context.env, place, ''))
  if (seen === 'changed') return rejected(`${shown} ${CHANGED_SINCE_READ}`)
  const unread = unreadOutside(subject.value)
  if (unread !== null) return rejected(unread)
  const form = textFormOf(bytes)
  if (form === null || form.encoding === 'unknown') return rejected(`${shown} is no Jupyter notebook.`)
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const omission = omissionIn(content, text)
  if (omission !== null)
    return rejected(`content leaves something out: "${omission}". It is the whole source of the cell, so write all of it.`)
  const isBehind = input.insert_behind === true
  const edited = editNotebook(text, { mode, cell, isBehind, content, cellType })
  if (!edited.ok) return rejected(`${shown} was not changed: ${edited.failure}`)
  if (edited.value === text) {
    const output = `Cell ${cell} of ${shown} already reads so. Nothing was written.`
    return { kind: 'ready', effects: [], commit: () => Promise.resolve({ output, isError: false, details: { files: [] } }) }
  }
  const effect = writeEffect(subject.value, withMark(bytes, form, edited.value), context, countLines)
  // Its cells are seen one by one, never its own text.
  const nothing = { ranges: [], total: 0 }
  const words =
    mode === 'insert' && isBehind ? `Inserted a cell behind cell ${cell} of ${shown}.` : `${DONE[mode]} cell ${cell} of ${shown}.`
  return {
    kind: 'ready',
    effects: [effect],
    commit: async (run) => (await commitWrite(effect, run, nothing)) ?? { output: words, isError: false, details: writeDetails(effect) },
  }
}

function withMark(bytes: Uint8Array, form: TextForm, text: string): Uint8Array {
  return Buffer.concat([bytes.subarray(0, form.bom), encodeText(text, form.encoding) ?? new Uint8Array(0)])
}
