import type { Result } from '../../../shared/lib/result.ts'
import type { Usage } from '../../../shared/session/content.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { FailureCode, ModelAnswer, ModelRequest, Provider, ProviderEvent, ProviderFailure } from './provider.ts'
import type { PrepareContext, ToolRegistry } from './tool.ts'

/** What the agent works with under a configuration, whether or not its model can be reached. */
export interface ToolSet {
  /** The session's own copy (T-06). */
  readonly registry: ToolRegistry
  readonly limits: PrepareContext['limits']
  /** Whether calls without effects may run at the same time (S-10). */
  readonly parallel: boolean
}

/** The model that a configuration names. */
export interface Model {
  readonly provider: Provider
  /** Tokens; null when unknown. */
  readonly contextWindow: number | null
  /** Tokens that a request may have at most, known or assumed; left out: the window. */
  readonly inputLimit?: number
  /** What the person should know of the window before it is felt; left out: nothing. */
  readonly windowTrouble?: Trouble
  /** Whether it can be shown pictures; left out: nobody knows, so that it is tried. */
  readonly takesPictures?: boolean
  /**
   * For a context that begins now. Its text is stored and used again until provider or model change, so that requests stay byte-stable.
   * `meanwhile` is called once, as soon as there is nothing to do but wait: for work that would else come after it.
   */
  systemPrompt(meanwhile: () => void): Promise<string>
  /** US dollars; null when the price is unknown. */
  cost(usage: Usage): number | null
  /** `keptWords`: words of the answer that had arrived; left out: none. */
  trouble(failure: ProviderFailure, keptWords?: number): Trouble
}

/** Asked before each request, so it must cost nothing while neither configuration nor keys have changed. A failure ends the turn. */
export type ModelOf = (config: SessionConfigured) => Promise<Result<Model, Trouble>>

/** A retry that is being waited for: when it comes, and why. */
export interface ScheduledRetry {
  /** 1 for the first retry. */
  readonly attempt: number
  readonly atMs: number
  readonly why: string
  readonly code: FailureCode
  /** When the retries end if the service goes on failing, in ms since 1970. */
  readonly untilMs: number
  /** What had arrived of an answer that broke off. The next attempt writes its answer from the start; null: nothing had arrived. */
  readonly discarded: ModelAnswer | null
}

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly onScheduled: (retry: ScheduledRetry) => void
  /** Resolves when somebody does not want to wait any longer; asked once for each wait, whose end aborts the signal. Left out: nobody can say so. */
  readonly retryNow?: (signal: AbortSignal) => Promise<void>
}

/**
 * One request with its retries (L-24, L-25), ended by exactly one `finish` or `failure`. Each attempt that the service answers begins with
 * `start`: what came before that is void, as `onScheduled` has told. Never throws; an abort ends a wait at once with code `aborted`.
 */
export type RequestWithRetries = (provider: Provider, request: ModelRequest, options: RetryOptions) => AsyncIterable<ProviderEvent>
