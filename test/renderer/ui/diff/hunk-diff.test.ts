import { parsePatch } from 'diff'
import { expect, it } from 'vitest'
import { removedPart, shiftedPatch } from '../../../../renderer/ui/diff/hunk-diff.tsx'

const PATCH = '@@ -1,6 +1,5 @@\n above\n-one\n between\n-two\n+both\n between\n below\n'
const SINGLE = '@@ -7 +7 @@\n-old\n+new\n'

it.each([
  ['a run of changed lines', PATCH, '@@ -1,4 +1,2 @@\n above\n-one\n between\n-two\n'],
  ['a single line whose head had no counts', SINGLE, '@@ -7,1 +7,0 @@\n-old\n'],
])('the removed part of %s has no proposed lines, and its head has the right line counts', (_, patch, expected) => {
  const changed = removedPart(patch)
  // `parsePatch` throws if the head of the hunk does not match its lines.
  expect(parsePatch(changed)).toHaveLength(1)
  expect(changed).toBe(expected)
})

it.each([
  [3, '@@ -1,6 +4,5 @@', '@@ -7 +10 @@'],
  [-1, '@@ -1,6 +0,5 @@', '@@ -7 +6 @@'],
])('the proposed lines of a hunk are moved by %i', (by, head, single) => {
  expect([PATCH, SINGLE].map((patch) => shiftedPatch(patch, by).split('\n', 1)[0])).toEqual([head, single])
})
