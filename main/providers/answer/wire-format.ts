import type { ProviderId } from '../../../shared/session/content.ts'
import type { RequestOptions } from '../../../shared/session/settings/request-options.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { OverriddenRequest } from '../body/body-overrides.ts'
import type { StreamLimits } from '../http/exchange.ts'
import type { Transport } from '../http/transport.ts'
import type { Learned } from '../catalogue/learned-from-refusals.ts'
import type { AnswerReader } from './answer-reader.ts'

export interface RemoteOptions {
  /** The service's display name. */
  readonly label: string
  /** A URL in the form that `checkBaseUrl` returns. */
  readonly baseUrl: string
  /** Read before each request, so that a new key takes effect at once. */
  readonly key: () => Promise<string | null>
  readonly clock: Clock
  readonly limits: StreamLimits
  readonly proxyEnv?: NodeJS.ProcessEnv
  /** What was learned from earlier refusals of services. If absent, what this provider learns is lost when it is closed. */
  readonly learned?: Learned
  /** Returns what the user adds to each request. Called before each request. */
  readonly extra?: () => RequestOptions
  /** Replaces the network. Replayed requests then use the same code as real ones. */
  readonly transport?: Transport
}

export interface Sent {
  readonly request: OverriddenRequest
  /** Headers that the user added. */
  readonly headers: Readonly<Record<string, string>>
}

/** The vendor-specific part: how to send a request and read its answer. */
export interface WireFormat {
  readonly id: ProviderId
  readonly needsKey: boolean
  /** Loads the official SDK ahead of the first `send`. */
  load(): Promise<unknown>
  /**
   * Sends a request through the official SDK. Resolves to the transport's response, with status 2xx. Rejects with an error that has
   * `status`, `headers` and `error` if the service refused, and with any other error if the service could not be reached. `key` may be
   * empty.
   */
  send(sent: Sent, key: string, signal: AbortSignal): Promise<Response>
  /** The JSON of the request up to its messages, with an empty list of messages. */
  bodyStart(request: OverriddenRequest): string
  reader(): AnswerReader
}
