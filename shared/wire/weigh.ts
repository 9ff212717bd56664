/**
 * Whether plain data takes more than `limit` bytes as JSON. It counts a lower bound (one byte per character), stops at the limit and does not
 * recurse, so that large, deep and cyclic data are safe.
 */
export function weighsMoreThan(value: unknown, limit: number): boolean {
  const open: unknown[] = [value]
  for (let weight = 0; open.length > 0;) {
    const one = open.pop()
    weight += ownWeight(one)
    if (weight > limit) return true
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue
    if (Array.isArray(one)) {
      weight += one.length
      if (weight > limit) return true
      for (const item of one) open.push(item)
      continue
    }
    for (const [key, item] of Object.entries(one)) {
      weight += key.length + 4
      open.push(item)
    }
  }
  return false
}

function ownWeight(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return value === undefined ? 0 : 1
}
