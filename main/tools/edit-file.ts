import { type EditFileInput, editFileSpec } from '../../shared/tools/edit-file.ts'
import type { WriteEffect } from '../../shared/session/effects.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { doesNotExist } from './near-names.ts'
import { rejected, shownPath } from './outcome.ts'
import { editBytes } from './text/edit-bytes.ts'
import { textFormOf } from './text/encoding.ts'
import { explainMiss } from './text/explain-miss.ts'
import { omissionIn } from './text/omission.ts'
import { showEdits } from './text/show-edits.ts'
import { unwritable } from './unwritable.ts'
import { commitWrite } from './write-commit.ts'
import { writeDetails } from './write-file.ts'
import { CHANGED_SINCE_READ, type LineCounter, subjectOf, writeEffect } from './write-subject.ts'

export function createEditFileTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(editFileSpec, (input, context) => prepare(input, context, parts.countLines))
}

async function prepare(input: EditFileInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const flaw = flawOf(input)
  if (flaw !== null) return rejected(flaw)
  const subject = await subjectOf(input.file_path, context)
  if (!subject.ok) return rejected(subject.failure)
  const { bytes, place, seen } = subject.value
  const shown = shownPath(place.shown)
  if (bytes === null) return rejected(await doesNotExist(context.env, place, 'Use write_file to create it.'))
  if (seen === 'changed') return rejected(`${shown} ${CHANGED_SINCE_READ}`)
  const form = textFormOf(bytes)
  if (form === null)
    return rejected(`${shown} is a binary file, in which no text is replaced. Change it with a command, or make it anew from its source.`)
  const edited = editBytes(bytes, form, { old: input.old_string, new: input.new_string, all: input.replace_all ?? false })
  if (!edited.ok) return rejected(explainMiss(edited.failure, shown, input.old_string, bytes, form))
  const effect = writeEffect(subject.value, edited.value.bytes, context, countLines)
  const changes = showEdits(bytes, edited.value, form)
  return { kind: 'ready', effects: [effect], commit: (run) => commit(effect, edited.value.places.length, changes, run) }
}

function flawOf({ old_string, new_string }: EditFileInput): string | null {
  if (old_string === new_string) return 'old_string and new_string are the same, so the edit would change nothing.'
  const omission = omissionIn(new_string, old_string)
  if (omission !== null) return `new_string leaves something out: "${omission}". It stands in the file as it is, so write all of it.`
  return unwritable(old_string, 'old_string') ?? unwritable(new_string, 'new_string')
}

async function commit(effect: WriteEffect, count: number, changes: string, run: RunContext): Promise<ToolOutput> {
  const failed = await commitWrite(effect, run)
  if (failed) return failed
  const times = count === 1 ? '1 replacement' : `${count} replacements`
  return { output: `Edited ${shownPath(effect.shown)}: ${times}.\n${changes}`, isError: false, details: writeDetails(effect) }
}
