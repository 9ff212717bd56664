import { ToolCallId } from '../../../shared/lib/ids.ts'

/** The id that the service gave; where that cannot be used, the last characters of `otherwise`. */
export function callId(given: string, otherwise: string): ToolCallId {
  const id = ToolCallId.safeParse(given)
  return id.success ? id.data : ToolCallId.parse(otherwise.slice(-200))
}
