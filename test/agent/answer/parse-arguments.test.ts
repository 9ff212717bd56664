import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseArguments } from '../../../main/agent/answer/parse-arguments.ts'

const failureOf = (text: string, stopReason: 'tool_calls' | 'length' = 'tool_calls') => {
  const result = parseArguments(text, stopReason)
  return result.ok ? null : String(result.failure)
}

describe('arguments of a call (P3-17, fault 47)', () => {
  test('a JSON object is accepted unchanged', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue().filter(withoutProto),
        ),
        (args) => {
          expect(parseArguments(JSON.stringify(args, null, 1), 'tool_calls')).toEqual({
            ok: true,
            value: JSON.parse(JSON.stringify(args)) as unknown,
          })
        },
      ),
    )
  })

  test('empty text means no arguments', () => {
    expect(parseArguments('', 'tool_calls')).toEqual({ ok: true, value: {} })
  })

  test.each([
    ['[]', 'a list'],
    ['null', 'null'],
    ['"x"', 'a string'],
    ['3', 'a number'],
    ['true', 'a boolean'],
  ])('%s is refused as %s', (text, name) => {
    expect(failureOf(text)).toBe(`The arguments must be one JSON object, not ${name}.`)
  })

  test('incomplete JSON is refused, never repaired', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (args, seed) => {
        const text = JSON.stringify(args)
        const cut = text.slice(0, 1 + (seed % (text.length - 1)))
        expect(failureOf(cut)).toMatch(/^The arguments are not valid JSON/)
      }),
    )
  })

  test('arguments cut off by the length limit are reported as cut off, even if their text is empty', () => {
    const words =
      'The arguments were cut off by the length limit of the answer; nothing was executed. Send the call again with shorter arguments.'
    expect([failureOf('{"a": "b', 'length'), failureOf('', 'length')]).toEqual([words, words])
    expect(failureOf('{"a": 1}', 'length')).toBeNull()
  })

  test('a duplicate key in one object is refused at any depth', () => {
    expect(failureOf('{"a":1,"b":{"c":[{"d":1, "d" :2}]}}')).toBe('The key "d" occurs twice in the arguments; send it once.')
    expect(failureOf('{"a":1,"\\u0061":2}')).toBe('The key "a" occurs twice in the arguments; send it once.')
    expect(failureOf('{"a":{"x":"a"},"b":{"x":"\\"a\\":"},"c":["a","a"]}')).toBeNull()
  })

  test('__proto__ is refused and no prototype is touched', () => {
    expect(failureOf('{"a":{"__proto__":{"polluted":1}}}')).toBe('The key "__proto__" is not allowed in arguments.')
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('arguments of 10 MB are refused, and the message gives their size and the limit', () => {
    expect(failureOf(JSON.stringify({ content: 'x'.repeat(10_000_000) }))).toBe(
      'The arguments have 10000014 characters; at most 4000000 are accepted.',
    )
  })
})

function withoutProto(value: unknown): boolean {
  return !JSON.stringify(value).includes('__proto__')
}
