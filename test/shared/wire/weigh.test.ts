import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weighsMoreThan } from '../../../shared/wire/connect.ts'

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

describe('estimated size of plain data', () => {
  it('a value whose estimate exceeds a limit also exceeds the limit as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(400), (value, limit) => {
        if (weighsMoreThan(value, limit)) expect(bytes(value)).toBeGreaterThan(limit)
      }),
    )
  })

  it('text at any depth adds at least its number of characters', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(weighsMoreThan({ deep: [{ text }] }, text.length)).toBe(true)
      }),
    )
  })

  it('a byte array counts as its length', () => {
    expect([weighsMoreThan(new Uint8Array(10), 9), weighsMoreThan(new Uint8Array(10), 10)]).toEqual([true, false])
  })

  it('a value of a million levels and a cyclic value can be estimated', () => {
    let deep: unknown = null
    for (let level = 0; level < 1_000_000; level++) deep = [deep]
    const loop: { self?: unknown } = {}
    loop.self = loop
    expect([weighsMoreThan(deep, 5_000_000), weighsMoreThan(deep, 1_000_000), weighsMoreThan(loop, 1_000)]).toEqual([false, true, true])
  })
})
