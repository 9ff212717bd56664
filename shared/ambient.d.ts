/**
 * Declares the few globals that Node ≥ 24, a browser window, a worker and a sandboxed preload all have, as far as we use them. `shared`
 * compiles without DOM types and without Node types, so a global that is not declared here cannot be used in it. In the other projects,
 * the full declarations of the platform replace this file, which is not part of their compilation.
 */

interface EventListenerOptionsOnce {
  readonly once?: boolean
}

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: EventListenerOptionsOnce): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare const AbortSignal: {
  readonly prototype: AbortSignal
  abort(reason?: unknown): AbortSignal
  any(signals: Iterable<AbortSignal>): AbortSignal
  timeout(ms: number): AbortSignal
}

interface AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare const AbortController: {
  readonly prototype: AbortController
  new (): AbortController
}

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number }
}

declare const TextEncoder: {
  readonly prototype: TextEncoder
  new (): TextEncoder
}

interface TextDecoder {
  readonly encoding: string
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { readonly stream?: boolean }): string
}

declare const TextDecoder: {
  readonly prototype: TextDecoder
  new (encoding?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean }): TextDecoder
}

interface URLSearchParams extends Iterable<[string, string]> {
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  toString(): string
}

interface URL {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly searchParams: URLSearchParams
  toString(): string
}

declare const URL: {
  readonly prototype: URL
  new (url: string | URL, base?: string | URL): URL
  canParse(url: string, base?: string): boolean
}

/** An opaque value: a number in a browser, an object in Node. It must only be passed to `clearTimeout` or `clearInterval`. */
interface TimerHandle {
  readonly __timer: never
}

declare function setTimeout(callback: () => void, ms?: number): TimerHandle
declare function clearTimeout(timer: TimerHandle | undefined): void
declare function setInterval(callback: () => void, ms?: number): TimerHandle
declare function clearInterval(timer: TimerHandle | undefined): void
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T): T
declare function btoa(binary: string): string
declare function atob(base64: string): string

declare const crypto: {
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`
  getRandomValues<T extends Uint8Array>(array: T): T
}

declare const performance: {
  /** Milliseconds since the process or page began. Never decreases. */
  now(): number
}

declare const console: {
  debug(...values: readonly unknown[]): void
  info(...values: readonly unknown[]): void
  warn(...values: readonly unknown[]): void
  error(...values: readonly unknown[]): void
}
