import { editFileSpec } from '../../shared/tools/edit-file.ts'
import type { WriteEffect } from '../../shared/session/effects.ts'
import type { Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { rejected, shownPath } from './outcome.ts'
import { seenAfter } from './files/seen-after.ts'
import { type EditedText, editText } from './files/text-edit.ts'
import { commitWrite } from './files/write-commit.ts'
import { writeDetails } from './write-file.ts'
import { type LineCounter, writeEffect } from './files/write-subject.ts'

export function createEditFileTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(editFileSpec, async (input, context) => {
    const edited = await editText(input, context)
    if (!edited.ok) return rejected(edited.failure)
    const effect = writeEffect(edited.value.subject, edited.value.bytes, context, parts.countLines)
    const seen = seenAfter(edited.value.subject, edited.value.bytes, context)
    return { kind: 'ready', effects: [effect], commit: (run) => commit(() => commitWrite(effect, run, seen), edited.value, effect) }
  })
}

async function commit(
  write: () => ReturnType<typeof commitWrite>,
  { words, changes }: EditedText,
  effect: WriteEffect,
): Promise<ToolOutput> {
  const failed = await write()
  if (failed) return failed
  return { output: `Edited ${shownPath(effect.shown)}: ${words}.\n${changes}`, isError: false, details: writeDetails(effect) }
}
