import { onTestFinished } from 'vitest'
import { openMemoryStore, openStore } from '../../../main/store/open-store.ts'
import type { Store } from '../../../main/store/store.ts'
import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'

/** A clock that a test sets by hand. */
export function manualClock(start = 1_000): { now(): number; at: number } {
  return {
    at: start,
    now() {
      return this.at
    },
  }
}

/** Opens the store of a folder and closes it with the test. Fails the test if the store does not open. */
export async function opened(folder: string, clock: { now(): number } = manualClock()): Promise<Store> {
  const result = await openStore(folder, { clock })
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.what}`)
  return closedWithTest(result.value)
}

export async function openedInMemory(clock: { now(): number } = manualClock()): Promise<Store> {
  return closedWithTest(await openMemoryStore({ clock }))
}

function closedWithTest(store: Store): Store {
  let open = true
  const once: Store = {
    ...store,
    close() {
      if (open) store.close()
      open = false
    },
  }
  onTestFinished(() => once.close())
  return once
}

export const session = (name: string): SessionId => name as SessionId

export const CONFIG = { provider: 'anthropic', model: 'model', mode: 'ask', effort: null, baseUrl: null } as const

export const input = (text: string): DurableEvent => ({ kind: 'USER_INPUT', inputId: `i-${text.slice(0, 40)}`, text, delivery: 'prompt' })

export const callStart = (toolCallId: ToolCallId): DurableEvent => ({
  kind: 'TOOL_CALL_START',
  toolCallId,
  toolName: 'edit_file',
  args: {},
})

export function changed(toolCallId: ToolCallId): DurableEvent {
  const sizes = { beforeBytes: 0, afterBytes: 3, beforeMode: null, afterMode: 0o644, lines: null }
  return {
    kind: 'FILES_CHANGED',
    toolCallId,
    files: [{ path: '/w/f', shown: 'f', before: null, after: 'a'.repeat(64) as BlobHash, ...sizes }],
  }
}

export function callEnd(toolCallId: ToolCallId, output: string): DurableEvent {
  const rest = { outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
  return { kind: 'TOOL_CALL_END', toolCallId, toolName: 'edit_file', output, ...rest }
}
