import type { Result } from '../../../shared/lib/result.ts'
import type { Usage } from '../../../shared/session/content.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { FailureCode, ModelAnswer, ModelRequest, Provider, ProviderEvent, ProviderFailure } from './provider.ts'
import type { PrepareContext, ToolRegistry } from './tool.ts'

/** The tools under a configuration, whether or not its model can be reached. */
export interface ToolSet {
  /** The session's own copy. */
  readonly registry: ToolRegistry
  readonly limits: PrepareContext['limits']
  /** Whether calls without effects may run at the same time. */
  readonly parallel: boolean
}

/** The model a configuration names. */
export interface Model {
  readonly provider: Provider
  /** Tokens; null: unknown. */
  readonly contextWindow: number | null
  /** Maximum tokens of a request, known or assumed. Default: the window. */
  readonly inputLimit?: number
  /** A warning about the window, for the person. Left out: none. */
  readonly windowTrouble?: Trouble
  /** Whether it takes pictures. Left out: unknown, so they are sent. */
  readonly takesPictures?: boolean
  /**
   * For a new context. The text is stored and reused until provider or model change, so that requests stay byte-stable. `meanwhile` is
   * called once, as soon as there is only waiting to do, for work that would otherwise come after it.
   */
  systemPrompt(meanwhile: () => void): Promise<string>
  /** US dollars; null: the price is unknown. */
  cost(usage: Usage): number | null
  /** `keptWords`: words of the answer that had arrived. Default: none. */
  trouble(failure: ProviderFailure, keptWords?: number): Trouble
}

/** Called before each request, so it must cost nothing while neither configuration nor keys have changed. A failure ends the turn. */
export type ModelOf = (config: SessionConfigured) => Promise<Result<Model, Trouble>>

/** A scheduled retry: when it comes, and why. */
export interface ScheduledRetry {
  /** 1 for the first retry. */
  readonly attempt: number
  readonly atMs: number
  readonly why: string
  readonly code: FailureCode
  /** When retries stop if the service keeps failing, in ms since 1970. */
  readonly untilMs: number
  /** The part of a broken answer that had arrived, which the next attempt writes again; null: nothing had arrived. */
  readonly discarded: ModelAnswer | null
}

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly onScheduled: (retry: ScheduledRetry) => void
  /** Resolves when someone wants to retry now. Called once per wait; the signal aborts when the wait ends. Left out: nobody can. */
  readonly retryNow?: (signal: AbortSignal) => Promise<void>
}

/**
 * One request with its retries; ends with exactly one `finish` or `failure`. Each attempt that the service answers begins with `start`,
 * which voids everything before it, as `onScheduled` reported. Never throws; an abort ends a wait at once with code `aborted`.
 */
export type RequestWithRetries = (provider: Provider, request: ModelRequest, options: RetryOptions) => AsyncIterable<ProviderEvent>
