import { createStore, type StoreApi } from 'zustand/vanilla'
import { type AppClient, contract } from '../../../shared/api/contract.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import { connect } from '../../../shared/wire/connect.ts'
import type { Wire } from '../../../shared/wire/wire.ts'
import { SignedOut } from '../../wire/sign-in.ts'

/**
 * The connection to main. While it is not open, the screen shows the last known state. In the state `signed_out`, the user must open a new
 * address to sign in again.
 */
export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly why: string; readonly sinceMs: number; readonly againAtMs: number }
  | { readonly kind: 'signed_out'; readonly why: string; readonly hadAddress: boolean }

/**
 * A function that runs on every new connection until the subscription is disposed. `signal` aborts when the connection breaks. If the
 * function fails, it is started again.
 */
export type Subscription = (client: AppClient, signal: AbortSignal) => Promise<void>

interface Link {
  readonly wire: Wire
  readonly client: AppClient
  readonly abort: AbortController
}

/** Delays between attempts in ms. The first are short, because most interruptions are restarts of main. The longest is 5 s. */
const PAUSES: readonly [number, ...number[]] = [100, 250, 500, 1_000, 2_000, 5_000]

const pauseOf = (attempt: number): number => PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? PAUSES[0]

/** Keeps one connection to main open while the window exists. `open` rejects if main cannot be reached. */
export class Connection {
  readonly state: StoreApi<ConnectionState> = createStore<ConnectionState>(() => ({ kind: 'connecting' }))
  readonly #open: () => Promise<Wire>
  readonly #subscriptions = new Set<Subscription>()
  #link: Link | null = null
  #isOpening = false
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isDisposed = false

  constructor(open: () => Promise<Wire>) {
    this.#open = open
    this.#attempt()
  }

  /** The client of the current connection. Null if there is none. */
  get client(): AppClient | null {
    return this.#link?.client ?? null
  }

  /** The client of the current connection, once the first attempt to connect has ended. Null if there is none then. */
  firstClient(): Promise<AppClient | null> {
    if (this.state.getState().kind !== 'connecting') return Promise.resolve(this.client)
    return new Promise((resolve) => {
      const stop = this.state.subscribe(() => {
        stop()
        resolve(this.client)
      })
    })
  }

  keep(subscription: Subscription): Disposable {
    const own = new AbortController()
    const kept: Subscription = (client, signal) => subscription(client, AbortSignal.any([signal, own.signal]))
    this.#subscriptions.add(kept)
    if (this.#link) void this.#follow(kept, this.#link)
    return disposable(() => {
      this.#subscriptions.delete(kept)
      own.abort(new Error('no longer watched'))
    })
  }

  /** Reconnects now instead of waiting, even when signed out, because the address may have changed. */
  retry(): void {
    const { kind } = this.state.getState()
    if (kind === 'lost' || kind === 'signed_out') this.#attempt()
  }

  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#timer)
    this.#link?.abort.abort(new Error('window closed'))
    this.#link?.wire.close('window closed')
  }

  #attempt(): void {
    if (this.#isOpening) return
    this.#isOpening = true
    clearTimeout(this.#timer)
    this.#open().then(
      (wire) => {
        this.#isOpening = false
        if (this.#isDisposed) wire.close('window closed')
        else this.#adopt(wire)
      },
      (error: unknown) => {
        this.#isOpening = false
        if (error instanceof SignedOut) this.state.setState({ kind: 'signed_out', why: error.message, hadAddress: error.hadAddress }, true)
        else this.#lose(messageOf(error))
      },
    )
  }

  #adopt(wire: Wire): void {
    const link = { wire, client: connect(wire, contract), abort: new AbortController() }
    this.#link = link
    this.#attempts = 0
    this.state.setState({ kind: 'open' }, true)
    for (const subscription of this.#subscriptions) void this.#follow(subscription, link)
    wire.onClose((reason) => this.#lose(reason))
  }

  /**
   * Runs a subscription and starts it again after a failure. If the connection still works, the failure is a bug in main, so only this
   * subscription is started again.
   */
  async #follow(subscription: Subscription, link: Link): Promise<void> {
    for (let attempt = 0; !link.abort.signal.aborted && this.#subscriptions.has(subscription); attempt++) {
      try {
        return await subscription(link.client, link.abort.signal)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pauseOf(attempt)))
      }
    }
  }

  #lose(why: string): void {
    if (this.#isDisposed) return
    this.#link?.abort.abort(new Error(why))
    this.#link = null
    const pause = pauseOf(this.#attempts++)
    const before = this.state.getState()
    const sinceMs = before.kind === 'lost' ? before.sinceMs : Date.now()
    this.state.setState({ kind: 'lost', why, sinceMs, againAtMs: Date.now() + pause }, true)
    this.#timer = setTimeout(() => this.#attempt(), pause)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
