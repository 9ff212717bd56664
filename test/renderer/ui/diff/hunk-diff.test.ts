import { parsePatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { patchWith, shiftedPatch } from '../../../../renderer/ui/diff/hunk-diff.tsx'

const PATCH = '@@ -1,6 +1,5 @@\n above\n-one\n between\n-two\n+both\n between\n below\n'
const SINGLE = '@@ -7 +7 @@\n-old\n+new\n'

describe('a hunk whose added lines are replaced by other text', () => {
  it.each([
    ['the user’s text', PATCH, 'mine\nyours\n', '@@ -1,6 +1,5 @@\n above\n-one\n-between\n-two\n+mine\n+yours\n between\n below\n'],
    ['only the removed lines and the lines above them', PATCH, '', '@@ -1,4 +1,1 @@\n above\n-one\n-between\n-two\n'],
    ['new lines for a single line whose head had no counts', SINGLE, 'a\nb', '@@ -7,1 +7,2 @@\n-old\n+a\n+b\n'],
  ])('contains %s, and its head has the right line counts', (_, patch, text, expected) => {
    const changed = patchWith(patch, text)
    // `parsePatch` throws if the head of the hunk does not match its lines.
    expect(parsePatch(changed)).toHaveLength(1)
    expect(changed).toBe(expected)
  })
})

it.each([
  [3, '@@ -1,6 +4,5 @@', '@@ -7 +10 @@'],
  [-1, '@@ -1,6 +0,5 @@', '@@ -7 +6 @@'],
])('the proposed lines of a hunk are moved by %i', (by, head, single) => {
  expect([PATCH, SINGLE].map((patch) => shiftedPatch(patch, by).split('\n', 1)[0])).toEqual([head, single])
})
