import type { Result } from '../../../shared/lib/result.ts'
import type { Usage } from '../../../shared/session/content.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { FailureCode, ModelAnswer, ModelRequest, Provider, ProviderEvent, ProviderFailure } from './provider.ts'
import type { PrepareContext, ToolRegistry } from './tool.ts'

/** The tools for a configuration, whether or not its model can be reached. */
export interface ToolSet {
  /** The session's own copy of the registry. */
  readonly registry: ToolRegistry
  readonly limits: PrepareContext['limits']
  /** Whether calls without effects may run at the same time. */
  readonly parallel: boolean
}

/** The model that a configuration selects. */
export interface Model {
  readonly provider: Provider
  /** The size of the context window in tokens. Null if unknown. */
  readonly contextWindow: number | null
  /** Maximum number of tokens in a request, known or assumed. Default: the context window. */
  readonly inputLimit?: number
  /** A warning about the context window, for the user. If left out, there is none. */
  readonly windowTrouble?: Trouble
  /** Whether the model accepts pictures. If left out, this is unknown, so pictures are sent. */
  readonly takesPictures?: boolean
  /**
   * Builds the prompt for a new context. The text is stored and reused until the provider or the model changes, so that requests stay
   * byte-stable. `meanwhile` is called once, when there is nothing left to do but wait, and does work that would otherwise be done
   * afterwards. Calls `warn` with anything about the prompt that the user should know.
   */
  systemPrompt(meanwhile: () => void, warn: (trouble: Trouble) => void): Promise<string>
  /** The cost in US dollars. Null if the price is unknown. */
  cost(usage: Usage): number | null
  /** `keptWords`: the number of words of the answer that had arrived. Default: 0. */
  trouble(failure: ProviderFailure, keptWords?: number): Trouble
}

/** Called before each request, so it must cost nothing unless the configuration or the keys have changed. A failure ends the turn. */
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
  /** The part of a broken answer that had arrived, and that the next attempt writes again. Null if nothing had arrived. */
  readonly discarded: ModelAnswer | null
}

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly onScheduled: (retry: ScheduledRetry) => void
  /**
   * Resolves when the user wants to retry now. Called once per wait. The signal aborts when the wait ends. If left out, nobody can ask
   * for a retry.
   */
  readonly retryNow?: (signal: AbortSignal) => Promise<void>
}

/**
 * One request with its retries. It ends with exactly one `finish` or `failure`. Each attempt that the service answers begins with `start`,
 * which invalidates everything before it (see `onScheduled`). Never throws. An abort ends a wait at once with code `aborted`.
 */
export type RequestWithRetries = (provider: Provider, request: ModelRequest, options: RetryOptions) => AsyncIterable<ProviderEvent>
