import { openStore } from '../../../main/store/open-store.ts'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'

const CONFIG = { provider: 'anthropic', model: 'claude-test', mode: 'ask', effort: null, baseUrl: null } as const

export interface WrittenLists {
  readonly data: string
  readonly folder: string
  /** The number of sessions. Each session has one request. */
  readonly sessions: number
  /** The number of files changed by the only step of one more session, which is the newest session. */
  readonly files: number
}

/** Returns the path of a changed file as the interface shows it. */
export const changedPath = (at: number): string => `src/folder-${at % 40}/file-${at}.ts`

/** Writes many sessions and many changed files into a data folder that no shell has open yet. */
export async function writeLists({ data, folder, sessions, files }: WrittenLists): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  store.folders.decide(folder, true)
  for (let at = 0; at < sessions; at++) {
    store.log(store.sessions.create({ cwd: folder, ...CONFIG })).append(request(`Request ${at}`), END)
  }
  const [first, ...rest] = changingTurn(folder, files)
  if (first) store.log(store.sessions.create({ cwd: folder, ...CONFIG })).append(first, ...rest)
  store.close()
}

const request = (text: string): DurableEvent => ({ kind: 'USER_INPUT', inputId: 'in', text, delivery: 'prompt' })
const END: DurableEvent = { kind: 'PROCESSING_END', reason: 'completed' }

function changingTurn(folder: string, files: number): readonly DurableEvent[] {
  const toolCallId = 'call-1' as ToolCallId
  const facts = { before: null, beforeBytes: 0, afterBytes: 3, beforeMode: null, afterMode: 0o644, lines: { added: 1, removed: 0 } }
  const changed = Array.from({ length: files }, (_, at) => {
    const shown = changedPath(at)
    return { path: `${folder}/${shown}`, shown, after: at.toString(16).padStart(64, '0') as BlobHash, ...facts }
  })
  const result = { output: '', outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
  return [
    request('Change them all'),
    { kind: 'TOOL_CALL_START', toolCallId, toolName: 'shell', args: { command: 'true' } },
    { kind: 'FILES_CHANGED', toolCallId, files: changed },
    { kind: 'TOOL_CALL_END', toolCallId, toolName: 'shell', ...result },
    END,
  ]
}
