import { expect, test } from 'vitest'
import { asciiCode } from '../../main/ascii-code.ts'

test.each([
  ['a string', `'“Größe” … 😀'`],
  ['a template', '`→ ${"é"} ü`'],
  ['an escaped backslash before the character', String.raw`'\\' + '\\…' + "\\\\é"`],
  ['a backslash without meaning before the character', String.raw`'\…' + '\\\é'`],
  ['a property', `({ größe: 1, 'é': 2 })`],
  ['JSON', `JSON.parse('{"…":"é\\\\n"}')`],
  ['a pattern', String.raw`'a…b\\é'.replace(/…/, '1').replace(/\\\é/, '2').replace(/[^\…]b/, '3')`],
  ['a pattern of whole characters', `'x😀y'.replace(/[😀-😆]/u, '1').replace(/^[^é]/v, '2')`],
  ['a raw text of ASCII', 'String.raw`\\u2026\\\\` + "…"'],
])('%s has the same value in ASCII', (_, code) => {
  const ascii = asciiCode(code)
  expect(ascii).toMatch(/^[\0-\x7F]*$/)
  // oxlint-disable-next-line no-eval -- the test is about the value of code
  expect((0, eval)(ascii)).toEqual((0, eval)(code))
})

test('a raw text outside ASCII is refused, because it would show the escape', () => {
  expect(() => asciiCode('const a = String.raw`one`; const b = String.raw`two …`')).toThrow('String.raw`two …`')
})
