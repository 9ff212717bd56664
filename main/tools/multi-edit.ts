import { type MultiEditInput, multiEditSpec } from '../../shared/tools/multi-edit.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { type Committed, commitFiles } from './files/commit-files.ts'
import { defineTool } from './define-tool.ts'
import { createFileSet } from './files/file-set.ts'
import { filesDetails } from './files/files-details.ts'
import { rejected, shownPath } from './outcome.ts'
import { editText } from './files/text-edit.ts'
import type { LineCounter } from './files/write-subject.ts'

const CHANGED_BEFORE = 'Without the edits before it, it would be made. Name the text as they leave it.'

/** several edits in several files, all or nothing; each sees what those before it have done. */
export function createMultiEditTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(multiEditSpec, (input, context) => prepare(input, context, parts.countLines))
}

async function prepare({ edits }: MultiEditInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
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
  const effects = files.effects(countLines)
  if (effects.length === 0) return rejected('Together the edits would leave every file as it is.')
  return { kind: 'ready', effects, commit: (run) => commit({ effects, seen: files.seen }, done, run) }
}

async function commit(files: Committed, done: readonly string[], run: RunContext): Promise<ToolOutput> {
  const failed = await commitFiles(files, run)
  if (failed) return failed
  const edits = done.length === 1 ? '1 edit' : `${done.length} edits`
  const count = files.effects.length === 1 ? '1 file' : `${files.effects.length} files`
  return { output: [`Made ${edits} in ${count}.`, ...done].join('\n'), isError: false, details: filesDetails(files.effects) }
}
