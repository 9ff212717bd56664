import { editFileSpec, type MultiEditInput, multiEditSpec } from '../../shared/tools/edit-file.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define/define-tool.ts'
import { commitFiles, type Committed } from './files/commit-files.ts'
import { commitWrite, writeDetails } from './files/commit-write.ts'
import { createFileSet } from './files/file-set.ts'
import { type LineCounter, seenAfter, writeEffect } from './files/write-subject.ts'
import { editText } from './files/text-edit.ts'
import { rejected, shownPath } from './define/outcome.ts'

export function createEditFileTool({ countLines }: { readonly countLines: LineCounter }): Tool {
  return defineTool(editFileSpec, async (input, context) => {
    const edited = await editText(input, context)
    if (!edited.ok) return rejected(edited.failure)
    const { subject, bytes, words, changes } = edited.value
    const effect = writeEffect(subject, bytes, context, countLines)
    const seen = seenAfter(subject, bytes, context)
    const output = `Edited ${shownPath(effect.shown)}: ${words}.\n${changes}`
    return {
      kind: 'ready',
      effects: [effect],
      commit: async (run) => (await commitWrite(effect, run, seen)) ?? { output, isError: false, details: writeDetails([effect]) },
    }
  })
}

/** What the model is told if an edit of a list would succeed alone. */
const CHANGED_BEFORE = 'Without the edits before it, it would be made. Name the text as they leave it.'

/** Several edits in one or more files, all or none. Each one applies to the result of those before it. */
export function createMultiEditTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(multiEditSpec, (input, context) => prepareEdits(input, context, parts.countLines))
}

async function prepareEdits({ edits }: MultiEditInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const files = createFileSet(context)
  const done: string[] = []
  for (const [index, edit] of edits.entries()) {
    const edited = await editText(edit, files.context)
    if (!edited.ok) {
      const why = index > 0 && (await editText(edit, context)).ok ? `${edited.failure}\n${CHANGED_BEFORE}` : edited.failure
      return rejected(`Edit ${index + 1} of ${edits.length} failed, so none was made: ${why}`)
    }
    const { subject, bytes, words, changes } = edited.value
    files.edit(subject, bytes)
    done.push(`${index + 1}. ${shownPath(subject.place.shown)}: ${words}.\n${changes}`)
  }
  const effects = await files.effects(countLines)
  if (effects.length === 0) return rejected('Together the edits would leave every file as it is.')
  return { kind: 'ready', effects, commit: (run) => commitEdits({ effects, seen: files.seen }, done, run) }
}

async function commitEdits(files: Committed, done: readonly string[], run: RunContext): Promise<ToolOutput> {
  const failed = await commitFiles(files, run)
  if (failed) return failed
  const edits = done.length === 1 ? '1 edit' : `${done.length} edits`
  const count = files.effects.length === 1 ? '1 file' : `${files.effects.length} files`
  return { output: [`Made ${edits} in ${count}.`, ...done].join('\n'), isError: false, details: writeDetails(files.effects) }
}
