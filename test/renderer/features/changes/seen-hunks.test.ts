import { describe, expect, test } from 'vitest'
import { countStates, hunkStates } from '../../../../renderer/features/changes/seen-hunks.ts'
import { computeDiff } from '../../../../renderer/ui/diff/compare/compute-diff.ts'
import type { SeenHunk } from '../../../../shared/api/changes/review.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'

const BASE = 'a'.repeat(64) as BlobHash
const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`)
const withLines = (change: Readonly<Record<number, string>>): string => LINES.map((line, at) => change[at + 1] ?? line).join('')
const hunksOf = (after: string, before = LINES.join('')) => computeDiff({ path: 'a.txt', before, after, language: 'text' }).hunks
const marksOf = (after: string): readonly SeenHunk[] =>
  hunksOf(after).map(({ key, before }) => ({ key, base: BASE, lines: before, after: null, at: 5 }))
const kinds = (after: string, marks: readonly SeenHunk[], base: BlobHash | null = BASE) =>
  hunkStates(hunksOf(after), base, marks).map(({ kind }) => kind)

describe('seen hunks are remembered by content', () => {
  const first = withLines({ 3: 'three\n', 40: 'forty\n' })

  test('a hunk that was not marked is new', () => {
    expect(kinds(first, [])).toEqual(['new', 'new'])
  })

  test('marked hunks stay seen when lines above move them', () => {
    const moved = withLines({ 3: 'three\n', 20: 'twenty\nmore\nmore\n', 40: 'forty\n' })
    expect(kinds(moved, marksOf(first))).toEqual(['seen', 'new', 'seen'])
  })

  test('only a hunk that changes again becomes unseen', () => {
    const touched = withLines({ 3: 'three\n', 40: 'forty, changed\n' })
    expect(kinds(touched, marksOf(first))).toEqual(['seen', 'again'])
    expect(kinds(withLines({ 3: 'three\n', 41: 'other\n' }), marksOf(first))).toEqual(['seen', 'again'])
  })

  test('a hunk that changes back to the seen version counts as seen', () => {
    const marks = [...marksOf(first), ...marksOf(withLines({ 3: '3\n' }))]
    expect(kinds(first, marks)).toEqual(['seen', 'seen'])
  })

  test('a changed hunk counts as new if it was marked against a different old version of the file', () => {
    expect(kinds(withLines({ 40: 'other\n' }), marksOf(first), 'b'.repeat(64) as BlobHash)).toEqual(['new'])
  })

  test('two hunks with the same lines are marked separately', () => {
    const lines = Array.from({ length: 40 }, () => 'same\n')
    const twice = lines.with(4, 'other\n').with(30, 'other\n').join('')
    const keys = hunksOf(twice, lines.join('')).map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  test('counts say how many hunks are seen and how many became unseen again', () => {
    expect(countStates(hunkStates(hunksOf(withLines({ 3: 'three\n', 40: '4\n', 55: '5\n' })), BASE, marksOf(first)))).toEqual({
      seen: 1,
      again: 1,
      all: 3,
    })
  })
})

describe('ignored spaces and tabs', () => {
  const compare = (before: string, after: string) => computeDiff({ path: 'a.txt', before, after, language: 'text', ignoresSpaces: true })

  test('lines that differ only in spaces and tabs count as unchanged, and line numbers stay correct', () => {
    const before = 'if (a) {\nb()\nc()\n}\n'
    const after = 'if (a) {\n  b()\n\tC()\n}\n'
    const { added, removed, hunks } = compare(before, after)
    expect([added, removed]).toEqual([1, 1])
    expect(hunks).toMatchObject([{ before: [2, 3], after: [2, 3], text: '\tC()\n' }])
  })

  test('line numbers on both sides stay correct after an insertion', () => {
    expect(compare('a\nb\nc\n', 'a\nnew\n b\n c\n').hunks).toMatchObject([{ before: [1, 1], after: [1, 2] }])
  })
})
