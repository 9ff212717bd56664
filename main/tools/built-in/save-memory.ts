import { Buffer } from 'node:buffer'
import type { WriteEffect } from '../../../shared/session/effects.ts'
import { saveMemorySpec } from '../../../shared/tools/built-in/save-memory.ts'
import type { RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { PROJECT_CONFIG_PATHS } from '../../prompt/project-config-paths.ts'
import { defineTool } from '../define/define-tool.ts'
import { rejected, shownPath } from '../define/tool-path.ts'
import { commitWrite, type LineCounter, seenAfter, subjectOf, unwritable, writeDetails, writeEffect } from '../files/file-write.ts'
import { decodeText, encodeText, PLAIN_UTF8, textFormOf } from '../text/encoding.ts'

/**
 * Adds a line to the end of the project memory. This is a normal edit, but the file is a control file, so it needs a signature in every
 * mode.
 */
export function createSaveMemoryTool({ countLines }: { readonly countLines: LineCounter }): Tool {
  return defineTool(saveMemorySpec, async ({ fact }, context) => {
    const flaw = unwritable(fact, 'fact')
    if (flaw !== null) return rejected(flaw)
    const subject = await subjectOf(PROJECT_CONFIG_PATHS.memory, context)
    if (!subject.ok) return rejected(subject.failure)
    const after = withNote(subject.value.bytes ?? Buffer.alloc(0), fact)
    if (after === null) return rejected(`${PROJECT_CONFIG_PATHS.memory} is not text in a known encoding. Nothing was written.`)
    const effect = await writeEffect(subject.value, after, context, countLines)
    const seen = await seenAfter(subject.value, after, context)
    return { kind: 'ready', effects: [effect], commit: (run) => commit(effect, run, seen) }
  })
}

/** Null if the file's encoding cannot represent the note. */
function withNote(before: Uint8Array, fact: string): Uint8Array | null {
  const form = before.length === 0 ? PLAIN_UTF8 : textFormOf(before)
  if (form === null) return null
  const text = decodeText(before.subarray(form.bom), form.encoding)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : end
  const note = encodeText(`${gap}- ${fact.trim().replaceAll(/\s+/gu, ' ')}${end}`, form.encoding)
  return note && Buffer.concat([before, note])
}

async function commit(effect: WriteEffect, run: RunContext, seen: Awaited<ReturnType<typeof seenAfter>>): Promise<ToolOutput> {
  const failed = await commitWrite(effect, run, seen)
  if (failed) return failed
  return { output: `Added the note to ${shownPath(effect.shown)}.`, isError: false, details: writeDetails([effect]) }
}
