import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gitignorePattern } from '../../../../main/environment/search/ignore/gitignore-pattern.ts'
import { parseGlob } from '../../../../main/environment/search/glob/glob-pattern.ts'
import { joinedWithoutBacktracking } from '../../../../main/environment/search/glob/stars-without-backtracking.ts'

it('a pattern joined without backtracking matches exactly the same paths as its concatenated pieces', () => {
  const piece = fc.constantFrom(
    '[^/]*',
    '[^/]*',
    'a',
    'b',
    '1',
    '[^/]',
    '(?!/)[ab]',
    String.raw`\.`,
    String.raw`\/`,
    '(?:.*/)?',
    '(?:a|ab)',
  )
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', '/'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), fc.array(path, { minLength: 1, maxLength: 20 }), (pieces, paths) => {
      const [plain, joined] = [new RegExp(`^${pieces.join('')}$`, 's'), new RegExp(`^${joinedWithoutBacktracking(pieces)}$`, 's')]
      expect(paths.map((each) => joined.test(each))).toEqual(paths.map((each) => plain.test(each)))
    }),
    { numRuns: 3_000 },
  )
})

function atLeastOf(glob: string): readonly string[] | string {
  const parsed = parseGlob(glob)
  return parsed.ok ? parsed.value.atLeast : parsed.failure
}

it('a pattern of twenty stars is matched against a long name quickly, in a .gitignore and in a glob (fault 21)', () => {
  const [glob, name] = [`${'*a'.repeat(20)}*[b]`, 'a'.repeat(255)]
  const parsed = parseGlob(glob)
  expect(parsed.ok && [parsed.value.matches(name), parsed.value.matches(`${name}b`)]).toEqual([false, true])
  expect(parsed.ok && [parsed.value.atLeast, parsed.value.isExact]).toEqual([['*'], false])
  const globs = ['a*b', '*a*b', 'x/a*b*c*d/*e', '{*a*b,d}', 'x/y/{*a*b*c*,d}/*.ts']
  expect(globs.map((each) => atLeastOf(each))).toEqual([['a*b'], ['*a*b'], ['x/a*d/*e'], ['{*a*b,d}'], ['x/y/**']])
  expect([gitignorePattern(glob, false)?.(name), gitignorePattern(glob, false)?.(`${name}b`)]).toEqual([false, true])
})
