import { readOutputSpec } from '../../../shared/tools/built-in/read-output.ts'
import { contentText, type ModelContent, type ToolCallPart } from '../../../shared/session/content.ts'
import type { BlobRef, CallOutcome, DurableEvent, SeenFile } from '../../../shared/session/events.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { redacted } from '../tool-output.ts'
import { StorageError } from '../storage-error.ts'
import type { DispatchParts } from './dispatch-parts.ts'

export type CallEnd = Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>

export interface EndedCall {
  readonly part: Pick<ToolCallPart, 'toolCallId' | 'toolName'>
  readonly output: ToolOutput
  readonly outcome: CallOutcome
  readonly durationMs: number | null
  readonly saw?: readonly SeenFile[]
  /** Text for the model only. It follows the output and is never shortened. */
  readonly note?: string
  /** What the model gets in place of the output. If null or left out, the model gets the output. */
  readonly replaced?: string | null
}

/** Maximum number of UTF-8 bytes that are stored in the event itself. Longer outputs are stored in a blob. */
const INLINE_BYTES = 65_536

/**
 * The last event of a call. It contains the complete output for people (in a blob if it is long) and the part of the output that the model
 * got.
 */
export function callEnd(
  { part, output: given, outcome, durationMs, saw = [], note = '', replaced = null }: EndedCall,
  parts: Pick<DispatchParts, 'blobs' | 'truncate' | 'registry' | 'redactor'>,
): CallEnd {
  const output = redacted(given, parts.redactor)
  const { toolCallId, toolName } = part
  const written = contentText(output.output)
  const advice = output.advice !== undefined && written.endsWith(output.advice) ? output.advice : ''
  const text = output.shown ?? (advice === '' ? written : written.slice(0, written.length - advice.length).trimEnd())
  const inline = inlined(text, output.whole, parts.blobs)
  const cut = forModel(replaced === null ? output.output : parts.redactor.text(replaced), (long) =>
    parts.truncate(toolName, long, parts.registry.get(readOutputSpec.name) ? toolCallId : undefined, output.missing),
  )
  const modelText = note === '' ? cut : withNote(cut, parts.redactor.text(note))
  return {
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName,
    output: inline.output,
    outputBlob: inline.blob,
    modelText: modelText === inline.output ? null : modelText,
    isError: output.isError,
    outcome,
    durationMs: durationMs === null ? null : Math.max(0, durationMs),
    details: output.details,
    ...(advice !== '' && { advice }),
    ...(saw.length > 0 ? { saw } : {}),
  }
}

function inlined(text: string, whole: BlobRef | undefined, blobs: BlobStore): { readonly output: string; readonly blob: BlobRef | null } {
  // A UTF-16 unit takes at most three bytes, so short texts need not be measured.
  if (text.length * 3 <= INLINE_BYTES || Buffer.byteLength(text) <= INLINE_BYTES) return { output: text, blob: whole ?? null }
  const bytes = Buffer.from(text)
  const half = INLINE_BYTES / 2
  const head = bytes.subarray(0, boundary(bytes, half))
  const tail = bytes.subarray(boundary(bytes, bytes.length - half))
  const output = `${head.toString()}\n[… ${bytes.length - head.length - tail.length} of ${bytes.length} bytes are left out here …]\n${tail.toString()}`
  return { output, blob: whole ?? stored(bytes, blobs) }
}

/** Null if the bytes cannot be stored. Then only the head and tail of the output are kept, so that the call itself is not lost. */
function stored(bytes: Uint8Array, blobs: BlobStore): BlobRef | null {
  try {
    return { hash: blobs.put(bytes), bytes: bytes.length }
  } catch (error) {
    if (error instanceof StorageError) return null
    throw error
  }
}

/** The index of the first byte of the character that contains the byte at `at`. */
function boundary(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

function withNote(output: ModelContent, note: string): ModelContent {
  return typeof output === 'string' ? `${output}\n\n${note}` : [...output, { kind: 'text', text: note }]
}

function forModel(output: ModelContent, truncate: (text: string) => string): ModelContent {
  if (typeof output === 'string') return truncate(output)
  const cut = output.map((part) => (part.kind === 'text' ? { ...part, text: truncate(part.text) } : part))
  return cut.every((part) => part.kind === 'text') ? cut.map((part) => part.text).join('\n') : cut
}
