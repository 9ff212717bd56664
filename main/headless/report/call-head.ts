import type { SessionEvent } from '../../../shared/session/events.ts'
import { lineOf } from '../../../shared/tools/catalogue.ts'
import { lineText } from '../../../shared/tools/spec/call-line.ts'

/** Calls of one answer start together and end in any order: this says which call a line is about if the line before does not show it. */
export interface CallNames {
  /** The words of the call, to be shown first. Null: the newest words shown are those of this call, or the event belongs to no call. */
  before(event: SessionEvent): string | null
}

export function createCallNames(): CallNames {
  const heads = new Map<string, string>()
  let shown: string | null = null
  return {
    before(event) {
      if (!('toolCallId' in event) || event.kind === 'TOOL_EXECUTION_START' || event.kind === 'FILES_CHANGED') return null
      const isShown = shown === event.toolCallId
      shown = event.toolCallId
      if (event.kind === 'TOOL_CALL_START') {
        heads.set(event.toolCallId, lineText(lineOf(event)))
        return null
      }
      const head = heads.get(event.toolCallId) ?? null
      if (event.kind === 'TOOL_CALL_END') heads.delete(event.toolCallId)
      return isShown ? null : head
    },
  }
}
