import type { WriteEffect } from '../../shared/session/effects.ts'
import { type WriteDetails, type WriteFileInput, writeFileSpec } from '../../shared/tools/write-file.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { writeDetails } from './files/files-details.ts'
import { defineTool } from './define/define-tool.ts'
import { sameLetters } from './files/near-names.ts'
import { rejected, shownPath } from './define/outcome.ts'
import { overwriteRefusal } from './files/overwrite-guard.ts'
import { type Rewritten, rewriteAs } from './text/rewrite.ts'
import { unwritable } from './files/unwritable.ts'
import { commitWrite } from './files/write-commit.ts'
import { type LineCounter, subjectMeant, writeEffect } from './files/write-subject.ts'

export function createWriteFileTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(writeFileSpec, (input, context) => prepare(input, context, parts.countLines))
}

async function prepare(input: WriteFileInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const flaw = unwritable(input.content, 'content')
  if (flaw !== null) return rejected(flaw)
  const subject = await subjectMeant(input.file_path, context, sameLetters)
  if (!subject.ok) return rejected(subject.failure)
  const refusal = overwriteRefusal(subject.value, input.content, context)
  if (refusal !== null) return rejected(refusal)
  const rewritten = rewriteAs(subject.value.bytes, input.content)
  const shown = shownPath(subject.value.place.shown)
  if (subject.value.bytes && Buffer.compare(subject.value.bytes, rewritten.bytes) === 0) {
    return { kind: 'ready', effects: [], commit: () => Promise.resolve(unchanged(shown)) }
  }
  const effect = writeEffect(subject.value, rewritten.bytes, context, countLines)
  return { kind: 'ready', effects: [effect], commit: (run) => commit(effect, rewritten, run) }
}

function unchanged(shown: string): ToolOutput {
  const details = { files: [] } satisfies WriteDetails
  return { output: `${shown} already holds exactly this content. Nothing was written.`, isError: false, details }
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
