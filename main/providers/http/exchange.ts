import type { Readable } from 'node:stream'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ProviderFailure } from '../../agent/ports/provider.ts'
import { failure } from '../failures/failures.ts'
import { IdleWatch } from './idle-watch.ts'

/** Time limits in milliseconds. */
export interface StreamLimits {
  /** Maximum time for DNS, TCP and TLS together. */
  readonly connectMs: number
  /** Maximum time from sending the request to the first byte of the body. */
  readonly firstByteMs: number
  /** Maximum time between two bytes of the body. Pings count as bytes. */
  readonly idleMs: number
  /** Calls the listener when the computer wakes up. If absent, sleep is only noticed by late timers. */
  readonly onWake?: (listener: () => void) => Disposable
}

/** The slowest local models need up to five minutes to read a long prompt. A setting can shorten the limits. */
export const STREAM_LIMITS: StreamLimits = { connectMs: 10_000, firstByteMs: 300_000, idleMs: 300_000 }

/**
 * Maximum time to wait for the end of the body after the last event (ms), so that the connection can be reused. The end usually comes
 * immediately.
 */
const DRAIN_MS = 100

/**
 * One request and its answer, with its time limits and the reason why it ended. Pass `signal` to the request, so that ending the exchange
 * aborts it.
 */
export class Exchange {
  readonly #run = new AbortController()
  readonly #caller: AbortSignal
  readonly #service: string
  readonly #firstByte: IdleWatch
  readonly #nextByte: IdleWatch
  #broken: ProviderFailure | null = null
  #body: Readable | null = null
  #answering = false

  constructor(service: string, clock: Clock, limits: StreamLimits, caller: AbortSignal) {
    this.#service = service
    this.#caller = caller
    this.#firstByte = new IdleWatch(
      clock,
      limits.firstByteMs,
      () => this.#break(silence(service, 'first', limits.firstByteMs)),
      limits.onWake,
    )
    this.#nextByte = new IdleWatch(clock, limits.idleMs, () => this.#break(silence(service, 'next', limits.idleMs)), limits.onWake)
    if (caller.aborted) this.#stop()
    else caller.addEventListener('abort', this.#stop, { once: true })
    this.#firstByte.waiting()
  }

  get signal(): AbortSignal {
    return this.#run.signal
  }

  /** The reason why this side ended the exchange; null if it did not. */
  get broken(): ProviderFailure | null {
    return this.#broken
  }

  /** Whether a byte of the answer has arrived. */
  get answering(): boolean {
    return this.#answering
  }

  /** The bytes of the answer as they arrive. Rejects if the exchange is ended or the connection breaks. */
  async *bytes(body: Readable): AsyncGenerator<Uint8Array> {
    this.#body = body
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
    let watch = this.#firstByte
    for (;;) {
      watch.waiting()
      const next = await chunks.next()
      watch.arrived()
      if (next.done) return
      if (watch === this.#firstByte) watch.stop()
      watch = this.#nextByte
      this.#answering = true
      yield next.value
    }
  }

  /** Call this after the last event. Waits for the end of the body, so that the next request can reuse the connection. */
  async drain(): Promise<void> {
    const body = this.#body
    if (!body || body.readableEnded) return
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => body.destroy(), DRAIN_MS)
      body.once('end', resolve)
      body.once('error', () => {})
      body.once('close', () => {
        clearTimeout(late)
        resolve()
      })
      body.resume()
    })
  }

  /** Frees everything, and closes the connection unless the body was read to its end. */
  end(): void {
    this.#caller.removeEventListener('abort', this.#stop)
    this.#firstByte.stop()
    this.#nextByte.stop()
    if (!this.#body?.readableEnded) this.#close()
  }

  readonly #stop = (): void => this.#break(failure('aborted', `The request to ${this.#service} was cancelled.`))

  #break(reason: ProviderFailure): void {
    this.#broken ??= reason
    this.#close()
  }

  #close(): void {
    this.#run.abort()
    this.#body?.destroy()
  }
}

function silence(service: string, which: 'first' | 'next', ms: number): ProviderFailure {
  const seconds = `${Math.round(ms / 100) / 10} s`
  if (which === 'first') return failure('idle', `${service} sent nothing for ${seconds} after the request.`)
  return failure('idle', `${service} stopped in the middle of its answer and sent nothing for ${seconds}.`)
}
