import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import type { ToolRegistry } from '../ports/tool.ts'
import { findCall, type FoundCall } from './find-call.ts'
import type { Preparation } from './prepare-call.ts'

/** A call of the round that is being carried out. */
export interface RoundCall {
  readonly part: ToolCallPart
  readonly found: FoundCall
  /** Null: not prepared, since an earlier step decides what it will find. */
  preparation: Preparation | null
  /** The mode under which it was judged. */
  mode: ApprovalMode
  /** Prepared over the disk itself, and nothing has happened since. */
  isFresh: boolean
  /** It has ended, or is running and will end by itself. */
  isOver: boolean
}

/** The log and the screen know a tool by its own name only. */
export function roundCall(part: ToolCallPart, stopReason: StopReason, registry: ToolRegistry): RoundCall {
  const found = findCall(part, stopReason, registry)
  const toolName = found.tool?.definition.name ?? part.toolName
  return {
    part: { ...part, toolName },
    found,
    preparation: null,
    mode: 'ask',
    isFresh: false,
    isOver: false,
  }
}
