import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import type { BlobRef, DurableEvent, SessionConfigured, Trouble } from '../../../shared/session/events.ts'

/** Prompt and tool list of the newest REQUEST_CONTEXT, and its model. */
interface ContextFact {
  readonly system: BlobRef
  readonly tools: BlobRef
  readonly config: Pick<SessionConfigured, 'provider' | 'model'>
}

export interface ContextFacts {
  add(event: DurableEvent): void
  newest(): ContextFact | null
}

export function createContextFacts(): ContextFacts {
  let config: ContextFact['config'] = { provider: 'anthropic', model: '' }
  let newest: ContextFact | null = null
  return {
    add(event) {
      if (event.kind === 'SESSION_START' || event.kind === 'SESSION_CONFIGURED') config = { provider: event.provider, model: event.model }
      else if (event.kind === 'REQUEST_CONTEXT') newest = { system: event.system, tools: event.tools, config }
    },
    newest: () => newest,
  }
}

/** What the PreToolUse hooks of a call said, so that they run once, even if the app restarts before the call. */
export interface HookRuns {
  add(event: DurableEvent): void
  of(toolCallId: ToolCallId): readonly HookRun[]
}

export function createHookRuns(): HookRuns {
  const runs = new Map<ToolCallId, readonly HookRun[]>()
  return {
    add(event) {
      if (event.kind === 'HOOK_RAN' && event.event === 'PreToolUse' && event.aboutCall !== null)
        runs.set(event.aboutCall, [...(runs.get(event.aboutCall) ?? []), event])
      else if (event.kind === 'TOOL_CALL_END') runs.delete(event.toolCallId)
    },
    of: (toolCallId) => runs.get(toolCallId) ?? [],
  }
}

/** The warnings a session already got, so that none is repeated, even after a restart. */
export interface GivenWarnings {
  add(event: DurableEvent): void
  has(trouble: Trouble): boolean
}

export function createGivenWarnings(): GivenWarnings {
  const given = new Set<string>()
  const nameOf = ({ code, what }: Trouble): string => `${code} ${what}`
  return {
    add: (event) => void (event.kind === 'WARNING' && given.add(nameOf(event.trouble))),
    has: (trouble) => given.has(nameOf(trouble)),
  }
}
