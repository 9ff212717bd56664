import type { WriteEffect } from '../../../shared/session/effects.ts'
import {
  type DeleteFileInput,
  deleteFileSpec,
  type WriteDetails,
  type WriteFileInput,
  writeFileSpec,
} from '../../../shared/tools/built-in/write-file.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { rejected, shownPath } from '../define/tool-path.ts'
import { commitFiles } from '../files/commit-files.ts'
import { createFileSet } from '../files/file-set.ts'
import { commitWrite, type LineCounter, subjectOf, unwritable, writeDetails, writeEffect } from '../files/file-write.ts'
import { overwriteRefusal } from '../files/overwrite-refusal.ts'
import { deleteFile } from '../patch/patch-file-operations.ts'
import { wantedForm } from '../text/editorconfig-charset.ts'
import { rewriteInOldEncoding, type Rewritten } from '../text/rewrite-in-old-encoding.ts'

export function createWriteFileTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(writeFileSpec, (input, context) => prepareWrite(input, context, parts.countLines))
}

async function prepareWrite(input: WriteFileInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const flaw = unwritable(input.content, 'content')
  if (flaw !== null) return rejected(flaw)
  const subject = await subjectOf(input.file_path, context)
  if (!subject.ok) return rejected(subject.failure)
  const refusal = overwriteRefusal(subject.value, input.content, context)
  if (refusal !== null) return rejected(refusal)
  const rewritten = rewriteInOldEncoding(subject.value.bytes, input.content, await wantedForm(subject.value, context.files.read))
  const shown = shownPath(subject.value.place.shown)
  if (subject.value.bytes && Buffer.compare(subject.value.bytes, rewritten.bytes) === 0) {
    return { kind: 'ready', effects: [], commit: () => Promise.resolve(unchanged(shown)) }
  }
  const effect = await writeEffect(subject.value, rewritten.bytes, context, countLines)
  return { kind: 'ready', effects: [effect], commit: (run) => commit(effect, rewritten, run) }
}

function unchanged(shown: string): ToolOutput {
  const details = { files: [] } satisfies WriteDetails
  return { output: `${shown} already has exactly this content. Nothing was written.`, isError: false, details }
}

async function commit(effect: WriteEffect, { note }: Rewritten, run: RunContext): Promise<ToolOutput> {
  const failed = await commitWrite(effect, run)
  if (failed) return failed
  return {
    output: `Wrote ${effect.afterBytes} ${effect.afterBytes === 1 ? 'byte' : 'bytes'} to ${shownPath(effect.shown)}.${note === null ? '' : ` ${note}`}`,
    isError: false,
    details: writeDetails([effect]),
  }
}

/** Needs a signature in every mode except `full`. The bytes are kept, so that the deletion can be undone. */
export function createDeleteFileTool(): Tool {
  return defineTool(deleteFileSpec, prepareDeletion)
}

async function prepareDeletion({ file_path: path }: DeleteFileInput, context: PrepareContext): Promise<Prepared> {
  const files = createFileSet(context)
  const deleted = await deleteFile({ kind: 'delete', path, line: 0 }, files)
  if (!deleted.ok) return rejected(deleted.failure)
  const effects = await files.effects(() => Promise.resolve(null))
  const [effect] = effects
  return {
    kind: 'ready',
    effects,
    commit: async (run) =>
      (await commitFiles({ effects, seen: files.seen }, run)) ?? {
        output: `Deleted ${shownPath(effect?.shown ?? path)}.`,
        isError: false,
        details: writeDetails(effects),
      },
  }
}
