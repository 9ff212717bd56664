import { Strict } from './strict.ts'

type Listener = (...args: never[]) => unknown

/** The parts of Node's emitter that we use, with Electron's kind of event. */
export class FakeEmitter extends Strict {
  readonly #listeners = new Map<string | symbol, Set<Listener>>()
  readonly #originals = new Map<Listener, Listener>()

  on(event: string | symbol, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return this
  }

  once(event: string | symbol, listener: Listener): this {
    const own: Listener = (...args) => {
      this.off(event, listener)
      return listener(...args)
    }
    this.#originals.set(listener, own)
    return this.on(event, own)
  }

  off(event: string | symbol, listener: Listener): this {
    this.#listeners.get(event)?.delete(this.#originals.get(listener) ?? listener)
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  listenerCount(event: string | symbol): number {
    return this.#listeners.get(event)?.size ?? 0
  }

  /** Emits an event as Electron itself does. Our code never calls this. */
  emit(event: string | symbol, ...args: unknown[]): boolean {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...(args as never[]))
    return this.listenerCount(event) > 0
  }

  forgetListeners(): void {
    this.#listeners.clear()
    this.#originals.clear()
  }
}

/** An event with its data, whose default action a listener can prevent. */
export class FakeEvent {
  defaultPrevented = false
  readonly preventDefault = (): void => {
    this.defaultPrevented = true
  }

  static with<T extends object>(details: T): FakeEvent & T {
    return Object.assign(new FakeEvent(), details)
  }
}
