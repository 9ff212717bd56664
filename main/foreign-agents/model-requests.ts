import { addUsage, NO_USAGE, type Usage } from '../../shared/session/content.ts'
import type { BlockedHost, TrafficWatch } from '../agent/ports/command-copies.ts'
import { within } from '../agent/abortable.ts'
import type { AgentStep, AgentSteps } from './agent-steps.ts'
import type { ChangesSinceLastStep } from './changes-since-last-step.ts'
import { createUsageReader } from './read-usage.ts'

export interface ModelRequestsParts {
  readonly steps: AgentSteps
  readonly comparison: Pick<ChangesSinceLastStep<AgentStep>, 'read'>
  /** Resolves when everything that the agent reported before this call has been processed. */
  heardAll(): Promise<void>
  /** Whether the host is one of the agent's own. Only requests to these hosts are followed. */
  isOwn(host: BlockedHost): boolean
  /** Whether the tokens in the log and these together reach a limit. Then no request is passed on. */
  isSpent(unlogged: Usage): boolean
  /** Called when a request is refused. */
  onRefused(): void
}

export interface ModelRequests extends TrafficWatch {
  /** The tokens that the answers have reported since the last call. Null if none were reported, or if they could not be read. */
  newTokens(): Usage | null
  /** Whether a request was refused since the last `begin`, or since the last call. */
  takeRefusal(): boolean
  /** The number of requests that the agent has made to its model so far. */
  made(): number
  /** Call this before a turn. */
  begin(): void
}

/** Maximum time in ms that a model request waits for the changes of earlier steps. */
const HOLD_MS = 30_000

/**
 * Holds each model request of an agent until the changes of its last steps are read, so that no step gets changes of the next. Counts the
 * tokens of the answers, and refuses requests when the budget is used up.
 */
export function createModelRequests({ steps, comparison, heardAll, isOwn, isSpent, onRefused }: ModelRequestsParts): ModelRequests {
  let unlogged: Usage | null = null
  let hasRefused = false
  let made = 0
  return {
    async onRequest(host) {
      if (!isOwn(host)) return { onAnswer: () => {} }
      made += 1
      await within(heardAll(), HOLD_MS)
      await within(steps.beforeRequest(), HOLD_MS)
      // If the changes cannot be read, the request still passes. The step reads them again at its end, and reports a failure.
      await within(
        comparison.read(steps.ownerOfChanges()).catch(() => {}),
        HOLD_MS,
      )
      if (isSpent(unlogged ?? NO_USAGE)) {
        hasRefused = true
        onRefused()
        return null
      }
      steps.requested()
      return { onAnswer: createUsageReader((more) => (unlogged = addUsage(unlogged ?? NO_USAGE, more))) }
    },
    takeRefusal() {
      const found = hasRefused
      hasRefused = false
      return found
    },
    made: () => made,
    begin: () => void (hasRefused = false),
    newTokens() {
      const found = unlogged
      unlogged = null
      return found
    },
  }
}
