import type { WriteEffect } from '../../shared/session/effects.ts'
import type { SeenLines } from '../../shared/session/events.ts'
import { type WriteDetails, type WriteFileInput, writeFileSpec } from '../../shared/tools/write-file.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define/define-tool.ts'
import { rejected, shownPath } from './define/tool-path.ts'
import { sameLetters } from './files/near-names.ts'
import {
  CHANGED_SINCE_READ,
  commitWrite,
  type LineCounter,
  type Subject,
  subjectMeant,
  unwritable,
  writeDetails,
  writeEffect,
} from './files/file-write.ts'
import { decodeText, textFormOf } from './text/encoding.ts'
import { omissionPlaceholder } from './text/omission-placeholder.ts'
import { rewriteInOldEncoding, type Rewritten } from './text/rewrite-in-old-encoding.ts'

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
  const rewritten = rewriteInOldEncoding(subject.value.bytes, input.content)
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

/** Why a whole file may not be replaced by `content`: not all of it was seen, or it is something else by now. Null: it may. */
export function overwriteRefusal({ bytes, place, seen }: Subject, content: string, context: PrepareContext): string | null {
  if (bytes === null) return omission(content, '')
  const shown = shownPath(place.shown)
  if (seen === 'changed') return `${shown} ${CHANGED_SINCE_READ}`
  const form = textFormOf(bytes)
  if (seen === 'never' && bytes.length > 0) {
    // Outside the project, even the kind of a file must not be revealed without a signature.
    if (form === null && !place.outside)
      return `${shown} is a binary file that you have not read, so it is not replaced with text. To replace it, delete it first.`
    return `${shown} exists and you have not read it. Read it first, or edit a part of it.`
  }
  const lines = context.seenLines(place.path)
  if (lines !== null && place.path.endsWith('.ipynb')) {
    return `You have seen a rendering of ${shown}, not its actual text. Edit its cells or a part of its text, or delete it first.`
  }
  if (lines !== null) return `${partSeen(shown, lines)} or delete it first.`
  return omission(content, form ? decodeText(bytes.subarray(form.bom), form.encoding) : '')
}

function partSeen(shown: string, { ranges, total }: SeenLines): string {
  const change = 'edit a part of it,'
  if (ranges.length === 0) {
    return `You have not seen all of ${shown}, and the rest would be lost. Read it first (lines over 50000 characters are not shown completely), ${change}`
  }
  const read = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ')
  return `You have read only lines ${read} of ${total} of ${shown}, and the rest would be lost. Read the rest with offset and limit, ${change}`
}

function omission(content: string, previous: string): string | null {
  const line = omissionPlaceholder(content, previous)
  return line === null
    ? null
    : `The content omits code: "${line}". The whole file is replaced, so send all of it, or edit a part of it instead.`
}
