import { Buffer } from 'node:buffer'
import { openStore } from '../../../main/store/open-store.ts'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'

export interface WrittenFile {
  readonly data: string
  readonly folder: string
  /** The path as the interface shows it. */
  readonly shown: string
  readonly before: string
  readonly after: string
}

/** Writes a session with a single step that changed one file, into a data folder that no shell has open yet. */
export async function writeFileChange({ data, folder, shown, before, after }: WrittenFile): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  store.folders.decide(folder, true)
  const put = (text: string): BlobHash => store.blobs.put(Buffer.from(text))
  const toolCallId = 'call-1' as ToolCallId
  const old = put(before)
  const fresh = put(after)
  const bytes = { beforeBytes: Buffer.byteLength(before), afterBytes: Buffer.byteLength(after), beforeMode: 0o644, afterMode: 0o644 }
  const file = { path: `${folder}/${shown}`, shown, before: old, after: fresh, ...bytes, lines: { added: 1, removed: 1 } }
  const result = { output: '', outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
  const events: readonly [DurableEvent, ...DurableEvent[]] = [
    { kind: 'USER_INPUT', inputId: 'in', text: 'Change the file', delivery: 'prompt' },
    { kind: 'TOOL_CALL_START', toolCallId, toolName: 'write_file', args: { file_path: shown, content: '' } },
    { kind: 'FILES_CHANGED', toolCallId, files: [file] },
    { kind: 'TOOL_CALL_END', toolCallId, toolName: 'write_file', ...result },
    { kind: 'PROCESSING_END', reason: 'completed' },
  ]
  store
    .log(store.sessions.create({ cwd: folder, provider: 'anthropic', model: 'claude-test', mode: 'ask', effort: null, baseUrl: null }))
    .append(...events)
  store.close()
}
