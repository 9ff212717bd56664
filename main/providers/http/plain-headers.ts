type Source = Iterable<readonly [string, string]> | Readonly<Record<string, string>>

/**
 * Headers by their name in lower case, as the web's `Headers` has them, as far as an SDK and our transport need it. The first use of Node's
 * own class loads a whole HTTP client that nothing else here uses: measured 30 ms of the start, before the first request can be sent.
 * In what is built this class takes that name in the SDK (`rolldown.config.ts`); from source the SDK uses Node's. Names and values are
 * checked by the request that they go into.
 */
export class PlainHeaders {
  readonly #values = new Map<string, string>()

  constructor(source: Source = []) {
    for (const [name, value] of isIterable(source) ? source : Object.entries(source)) this.append(name, value)
  }

  append(name: string, value: string): void {
    const before = this.get(name)
    this.#values.set(name.toLowerCase(), before === null ? value.trim() : `${before}, ${value.trim()}`)
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim())
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}

function isIterable(source: Source): source is Iterable<readonly [string, string]> {
  return Symbol.iterator in source
}
