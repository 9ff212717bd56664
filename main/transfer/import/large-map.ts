const PARTS = 256
/** Number of characters at the end of a key that choose its part. Ids differ there. */
const TELLING = 8

/**
 * A map for hundreds of thousands of entries. A plain `Map` moves all its entries whenever it grows, which blocks for
 * 60 ms at 260,000 entries. This one consists of many small maps.
 */
export class LargeMap<K extends string | number, V> {
  private readonly parts = Array.from({ length: PARTS }, () => new Map<K, V>())

  get(key: K): V | undefined {
    return this.partOf(key)?.get(key)
  }

  has(key: K): boolean {
    return this.partOf(key)?.has(key) === true
  }

  set(key: K, value: V): void {
    this.partOf(key)?.set(key, value)
  }

  delete(key: K): void {
    this.partOf(key)?.delete(key)
  }

  /** The number of entries of the largest part, which is what the map moves at once. */
  largestPart(): number {
    return Math.max(...this.parts.map(({ size }) => size))
  }

  private partOf(key: K): Map<K, V> | undefined {
    const hash = typeof key === 'number' ? key : hashOfEnd(key)
    return this.parts[(hash ^ (hash >>> 16)) & (PARTS - 1)]
  }
}

function hashOfEnd(key: string): number {
  let hash = 0
  for (let at = Math.max(0, key.length - TELLING); at < key.length; at++) hash = (hash * 31 + key.charCodeAt(at)) | 0
  return hash
}
