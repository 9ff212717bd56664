import type { ProviderId } from '../../../shared/session/content.ts'
import type { ProviderOptions } from '../../../shared/session/settings/provider-options.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { ShapedRequest } from '../body/body-shape.ts'
import type { StreamLimits } from '../http/exchange.ts'
import type { Transport } from '../http/transport.ts'
import type { Learned } from '../catalogue/learned.ts'
import type { AnswerReader } from './answer-reader.ts'

export interface RemoteOptions {
  /** The service's name for people. */
  readonly label: string
  /** In the form of `checkBaseUrl` (D-49). */
  readonly baseUrl: string
  /** Asked before each request, so that a key that was just set counts at once. */
  readonly key: () => Promise<string | null>
  readonly clock: Clock
  readonly limits: StreamLimits
  readonly proxyEnv?: NodeJS.ProcessEnv
  /** What services told before; left out: nothing is remembered beyond this provider. */
  readonly learned?: Learned
  /** What the person adds to each request; asked before each. Left out: nothing. */
  readonly extra?: () => ProviderOptions
  /** Takes the place of the network: what is to be shown or replayed takes the way of real requests. */
  readonly transport?: Transport
}

export interface Sent {
  readonly request: ShapedRequest
  /** More headers, by the person. */
  readonly headers: Readonly<Record<string, string>>
}

/** What is a vendor's own: how it is asked, and how its answers are read. */
export interface WireFormat {
  readonly id: ProviderId
  readonly needsKey: boolean
  /** Loads the official SDK ahead of the first `send`. */
  load(): Promise<unknown>
  /**
   * Sends a request through the official SDK and resolves with a response of the transport with status 2xx. Rejects with an error that has
   * `status`, `headers` and `error` where the service refused, and with any other where it could not be reached. `key` may be empty.
   */
  send(sent: Sent, key: string, signal: AbortSignal): Promise<Response>
  /** The request's JSON up to its messages, with an empty list of them. */
  bodyStart(request: ShapedRequest): string
  reader(): AnswerReader
}
