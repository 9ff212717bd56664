import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import type { BlobRef, DurableEvent, SessionConfigured, Trouble } from '../../../shared/session/events.ts'

/** The prompt and tool list of the newest REQUEST_CONTEXT, and its model. */
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

/** Hook answers that still apply, even after a restart of the app. */
export interface HookRuns {
  add(event: DurableEvent): void
  /** The runs of the PreToolUse and PermissionRequest hooks of an open call. Each hook runs once. */
  of(toolCallId: ToolCallId): readonly HookRun[]
  /** Variables for the commands of the session, set by the hooks of its newest start. */
  variables(): Readonly<Record<string, string>>
  /** How a hook has ended the turn that is running or was interrupted. Null if no hook has. */
  stop(): TurnStop | null
}

/** `before`: the call before which the hook ended the turn. Neither that call nor the calls after it run. Null if no call was about to run. */
interface TurnStop {
  readonly words: string
  readonly before: ToolCallId | null
}

const DECIDING: ReadonlySet<HookRun['event']> = new Set(['PreToolUse', 'PermissionRequest'])

export function createHookRuns(): HookRuns {
  const runs = new Map<ToolCallId, readonly HookRun[]>()
  let variables: Readonly<Record<string, string>> = {}
  let isStarting = false
  let stop: TurnStop | null = null
  return {
    add(event) {
      // In the log, the hook runs of one session start follow each other directly.
      const isStart = event.kind === 'HOOK_RAN' && event.event === 'SessionStart'
      if (isStart) variables = { ...((isStarting || event.isAfterCompaction) && variables), ...event.variables }
      isStarting = isStart
      if (event.kind === 'HOOK_RAN') stop = stopOf(event, stop) ?? stop
      else if (event.kind === 'USER_INPUT') stop = null
      // A turn that was interrupted continues later. A hook's stop still ends that turn.
      else if (event.kind === 'PROCESSING_END' && event.reason !== 'interrupted') stop = null
      if (event.kind === 'HOOK_RAN' && DECIDING.has(event.event) && event.aboutCall !== null)
        runs.set(event.aboutCall, [...(runs.get(event.aboutCall) ?? []), event])
      else if (event.kind === 'TOOL_CALL_END') runs.delete(event.toolCallId)
    },
    of: (toolCallId) => runs.get(toolCallId) ?? [],
    variables: () => variables,
    stop: () => stop,
  }
}

/** Null if the hook let the turn continue. */
const stopOf = ({ event, stops, aboutCall }: HookRun, earlier: TurnStop | null): TurnStop | null =>
  stops === undefined ? null : { words: stops, before: earlier?.before ?? (event === 'PreToolUse' ? aboutCall : null) }

/** The warnings that a session has already received, so that none is repeated, even after a restart. */
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
