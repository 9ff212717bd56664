type Source = Iterable<readonly [string, string]> | Readonly<Record<string, string>>

/**
 * Headers by lower-case name: the part of the web's `Headers` that the SDKs and our transport need. The first use of Node's class loads an
 * entire HTTP client that nothing else uses, which took 30 ms of startup (measured). In a build, this class replaces `Headers` in the SDKs
 * (`rolldown.config.ts`). When run from source, the SDKs use Node's class. `node:http` checks names and values when it sends them.
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
