import { expect, test } from 'vitest'
import { formOf } from '../../main/model-families/family-tool-forms.ts'
import { parsePatch } from '../../main/tools/patch/parse-patch.ts'
import { accepts, readGrammar, written } from '../support/lark/grammar.ts'

const GRAMMAR = readGrammar(formOf('openai', 'apply_patch').grammar ?? '')
const TEXTS = [
  'a',
  ' a',
  '\tb = 1',
  '+',
  '-- x',
  '@@',
  '*** Update File: z',
  '*** End of File',
  '# ü',
  'const s = "*** Begin"',
  '\\d+',
  '  ',
]
const PATHS = ['a.txt', 'src/a b.ts', '../x', '/tmp/ü', '*** x', '@@']

/** A random number generator that restarts with each seed, so that a failure can be reproduced. */
function randomFrom(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function patchOf(seed: number): string {
  const random = randomFrom(seed * 7919)
  const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? ''
  return written(GRAMMAR, random, (name) => (name === 'LF' ? '\n' : name === 'PATH' ? one(PATHS) : one(TEXTS)))
}

test('apply_patch parses every patch that the grammar allows (1,000 random patches)', () => {
  const unread = Array.from({ length: 1000 }, (_, seed) => patchOf(seed)).flatMap((patch) => {
    expect(accepts(GRAMMAR, patch), patch).toBe(true)
    const parsed = parsePatch(patch)
    return parsed.ok ? [] : [`${String(parsed.failure)}\n${patch}`]
  })
  expect(unread).toEqual([])
})

const section = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

test.each([
  ['an added file', section('*** Add File: a', '+one', '+', '+two')],
  ['a deleted file', section('*** Delete File: a')],
  ['a moved file', section('*** Update File: a', '*** Move to: b')],
  ['a moved and changed file', section('*** Update File: a', '*** Move to: b', '@@', '-x', '+y')],
  ['a first hunk without an @@ line', section('*** Update File: a', ' x', '-y', '+z')],
  ['several @@ lines and hunks', section('*** Update File: a', '@@ class A', '@@ f()', ' x', '-y', '@@', '+z', '*** End of File')],
  ['several files', section('*** Add File: a', '+x', '*** Delete File: b', '*** Update File: c', '@@', ' x', '+y')],
])('grammar and parser both accept %s', (_, patch) => {
  expect([accepts(GRAMMAR, patch), accepts(GRAMMAR, `${patch}\n`), parsePatch(patch).ok]).toEqual([true, true, true])
})

test.each([
  ['no file', section()],
  ['a file without a name', section('*** Delete File:  ')],
  ['an update without a hunk', section('*** Update File: a')],
  ['blank context before the end of the file', section('*** Update File: a', '  ', '*** End of File', '@@', '+x')],
  ['an empty hunk', section('*** Update File: a', '@@')],
  ['an added line without a plus sign', section('*** Add File: a', 'one')],
  ['a second hunk without an @@ line', section('*** Update File: a', '+x', '*** End of File', '+y')],
  ['an unknown header', section('*** Rename File: a')],
])('grammar and parser both refuse %s', (_, patch) => {
  expect([accepts(GRAMMAR, patch), parsePatch(patch).ok]).toEqual([false, false])
})
