import { assert, constantFrom, array, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PlainHeaders } from '../../../main/providers/http/plain-headers.ts'

const names = constantFrom('Accept', 'accept', 'X-Api-Key', 'x-api-key', 'Retry-After', 'anthropic-version')
const values = string({ unit: constantFrom('a', 'B', '0', ' ', ',', ';', '=', '-'), maxLength: 12 })
const acts = array(record({ act: constantFrom('append', 'set', 'delete'), name: names, value: values } as const), { maxLength: 20 })

describe('headers without Node’s HTTP client', () => {
  test('match Node’s Headers after any sequence of set, append and delete', () => {
    assert(
      property(acts, (all) => {
        const ours = new PlainHeaders()
        const nodes = new Headers()
        for (const headers of [ours, nodes])
          for (const { act, name, value } of all) {
            if (act === 'delete') headers.delete(name)
            else headers[act](name, value)
          }
        expect([...ours.entries()]).toEqual([...nodes.entries()])
        for (const { name } of all) expect([ours.get(name), ours.has(name)]).toEqual([nodes.get(name), nodes.has(name)])
      }),
    )
  })

  test('can be created like Node’s Headers: from pairs, a record, other headers or nothing', () => {
    const pairs: [string, string][] = [
      ['B', '2'],
      ['a', '1'],
      ['b', ' 3 '],
    ]
    for (const source of [pairs, Object.fromEntries(pairs), new Headers(pairs), {}, undefined])
      expect([...new PlainHeaders(source)]).toEqual([...new Headers(source)])
    expect([...new PlainHeaders(new PlainHeaders(pairs))]).toEqual([...new Headers(pairs)])
  })
})
