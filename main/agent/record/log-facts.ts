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

/** What hooks said that still counts, even if the app restarts. */
export interface HookRuns {
  add(event: DurableEvent): void
  /** The PreToolUse hooks of a call, which run once. */
  of(toolCallId: ToolCallId): readonly HookRun[]
  /** Set for the commands of the session by the hooks of its newest start. */
  variables(): Readonly<Record<string, string>>
}

export function createHookRuns(): HookRuns {
  const runs = new Map<ToolCallId, readonly HookRun[]>()
  let variables: Readonly<Record<string, string>> = {}
  let isStarting = false
  return {
    add(event) {
      // The hooks of one start follow each other.
      const isStart = event.kind === 'HOOK_RAN' && event.event === 'SessionStart'
      if (isStart) variables = { ...(isStarting && variables), ...event.variables }
      isStarting = isStart
      if (event.kind === 'HOOK_RAN' && event.event === 'PreToolUse' && event.aboutCall !== null)
        runs.set(event.aboutCall, [...(runs.get(event.aboutCall) ?? []), event])
      else if (event.kind === 'TOOL_CALL_END') runs.delete(event.toolCallId)
    },
    of: (toolCallId) => runs.get(toolCallId) ?? [],
    variables: () => variables,
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
