import { Buffer } from 'node:buffer'
import { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { CallSession } from '../ports/tool.ts'
import type { SessionRecord } from './session-record.ts'
import { createSlices } from '../event-loop-slices.ts'

/** A call's view of its session, read from the log. */
export function createCallSession(record: Pick<SessionRecord, 'state' | 'append' | 'read'>, blobs: Pick<BlobStore, 'get'>): CallSession {
  return {
    mode: () => record.state().config.mode,
    setMode(mode) {
      record.append({ kind: 'SESSION_CONFIGURED', ...record.state().config, mode })
    },
    course: () => record.state().config.course ?? 'plain',
    workflow: () => record.state().workflow,
    modeBefore: () => record.state().modeBefore ?? 'ask',
    todos: () => record.state().todos,
    setTodos(todos) {
      record.append({ kind: 'TODOS_CHANGED', todos })
    },
    outputOf(toolCallId) {
      const call = ToolCallId.safeParse(toolCallId)
      for (const { event } of call.success ? record.read({ call: call.data }) : []) {
        if (event.kind !== 'TOOL_CALL_END') continue
        return event.outputBlob ? Buffer.from(blobs.get(event.outputBlob.hash)).toString('utf8') : event.output
      }
      return null
    },
    async mentions(urls) {
      const slice = createSlices()
      for (const { event } of record.read()) {
        const text = textOfEvent(event)
        if (urls.some((url) => text.includes(url))) return true
        await slice()
      }
      return false
    },
  }
}

function textOfEvent(event: DurableEvent): string {
  switch (event.kind) {
    case 'USER_INPUT':
    case 'INPUT_QUEUED':
    case 'STEERING_INJECTED':
      return event.text
    case 'TOOL_CALL_END':
      return event.output
    default:
      return ''
  }
}
