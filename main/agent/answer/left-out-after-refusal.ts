import type { Turn } from '../../../shared/session/conversation-turns.ts'
import type { DurableEvent, SessionConfigured } from '../../../shared/session/events.ts'
import type { ProviderFailure, ToolDefinition } from '../ports/provider.ts'
import type { ToolRegistry } from '../ports/tool.ts'
import { picturesLeftOut } from '../pictures/omitted-pictures.ts'
import { holdPictures } from '../pictures/resolve-pictures.ts'
import { holdReasoning, mayRefuseReasoning, reasoningLeftOut } from './omitted-reasoning.ts'
import { refusedTool, toolLeftOut } from './omitted-tools.ts'

/** The request that the service refused. */
export interface SentRequest {
  readonly turns: readonly Turn[]
  readonly tools: readonly ToolDefinition[]
  readonly registry: ToolRegistry
}

/**
 * The warning after which the request is sent without what the service refused. Null if there is nothing to leave out, so the same thing
 * is never left out twice.
 */
export function leftOutAfterRefusal(
  failure: ProviderFailure,
  { turns, tools, registry }: SentRequest,
  config: SessionConfigured,
): DurableEvent | null {
  if (failure.cause === 'pictures' && holdPictures(turns)) return { kind: 'WARNING', trouble: picturesLeftOut(config, failure.message) }
  const tool = refusedTool(failure, tools, registry)
  if (tool !== null) return toolLeftOut(tool, config, failure.message)
  if (mayRefuseReasoning(failure) && holdReasoning(turns, config))
    return { kind: 'WARNING', trouble: reasoningLeftOut(config, failure.message) }
  return null
}
