import { expect, it } from 'vitest'
import { commandEnvironment } from '../../../../main/environment/env-policy.ts'
import { parseGlob } from '../../../../main/environment/search/glob/glob-pattern.ts'
import { gitignorePattern } from '../../../../main/environment/search/ignore/gitignore-pattern.ts'
import { fitsIgnoreLine } from '../../../../main/environment/search/ignore/ignore-rule.ts'
import { ruleFor } from '../../../../main/rules/rule-matches.ts'

function parsed(glob: string) {
  const result = parseGlob(glob)
  if (!result.ok) throw new Error(result.failure)
  return result.value
}

it('a pattern of twenty stars is matched against a long name, in a .gitignore and in a glob (fault 21)', () => {
  const glob = `${'*a'.repeat(20)}*[b]`
  const name = 'a'.repeat(255)
  const { matches, atLeast, isExact } = parsed(glob)
  expect([matches(name), matches(`${name}b`)]).toEqual([false, true])
  expect([atLeast, isExact]).toEqual([['*'], false])
  const globs = ['a*b', '*a*b', 'x/a*b*c*d/*e', '{*a*b,d}', 'x/y/{*a*b*c*,d}/*.ts']
  expect(globs.map((each) => parsed(each).atLeast)).toEqual([['a*b'], ['*a*b'], ['x/a*d/*e'], ['*a*b', 'd'], ['x/y/*/*.ts', 'x/y/d/*.ts']])
  expect([gitignorePattern(glob, false)?.(name), gitignorePattern(glob, false)?.(`${name}b`)]).toEqual([false, true])
})

/** Each would keep a backtracking matcher busy for longer than the tests may take. */
const deep = 'a/'.repeat(60)
const letters = 'a'.repeat(2_000)

it.each([
  ['ten ** in a glob', () => parsed(`${'**/a/'.repeat(12)}b`).matches(`${deep}c`)],
  ['alternatives that overlap', () => parsed(`${'{a,aa}'.repeat(9)}`).matches('a'.repeat(61))],
  ['stars and alternatives', () => parsed(`{*a,*b}${'*{a,b}'.repeat(8)}*c`).matches(letters)],
  ['ten ** in a .gitignore', () => fitsIgnoreLine(`${'**/a/'.repeat(10)}b`, `${deep}c`)],
  ['a .gitignore line of many spaces', () => fitsIgnoreLine(`a${' '.repeat(200_000)}b`, 'a')],
  ['stars in a command rule', () => ruled(`${'*a'.repeat(40)}b`, letters)],
  ['stars before the end of a command rule', () => ruled(`${'*a'.repeat(40)}b *`, letters)],
  [
    'stars in a variable’s name',
    () => 'A' in commandEnvironment({ [letters]: '1', A: '1' }, { policy: 'inherit_none', allow: [`${'*a'.repeat(40)}b`] }),
  ],
])('%s are matched in linear time (X5)', (_, matches) => {
  expect(matches()).toBe(false)
})

function ruled(pattern: string, command: string): boolean {
  const effect = { kind: 'command', command, cwd: '/p', outside: false, env: {}, timeoutMs: 0, destructive: false } as const
  const place = { root: '/p', home: null, fitsPath: fitsIgnoreLine }
  return ruleFor(effect, [{ answer: 'ask', when: { kind: 'command', pattern } }], 'ask', place) !== null
}
