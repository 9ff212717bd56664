import { describe, expect, it } from 'vitest'
import { unifiedDiff } from '../../main/changes/unified-diff.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding)
const text = (...lines: readonly string[]) => ({ kind: 'text', lines })
const numbered = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, n) => `${from + n}\n`).join('')

/** Applies a patch by the rules of its format. */
function applied(before: string, lines: readonly string[]): string {
  const old = before.split(/(?<=\n)/)
  const made: string[] = []
  let at = 0
  for (const line of lines) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line)
    if (hunk) {
      const start = Number(hunk[2]) === 0 ? Number(hunk[1]) : Number(hunk[1]) - 1
      made.push(...old.slice(at, start))
      at = start
    } else if (line.startsWith('\\')) made.push((made.pop() ?? '').replace(/\n$/, ''))
    else if (line.startsWith('+')) made.push(`${line.slice(1)}\n`)
    else {
      if (line.startsWith(' ')) made.push(old[at] ?? '')
      at++
    }
  }
  return [...made, ...old.slice(at)].join('')
}

describe('a unified diff', () => {
  it('shows each change with three lines around it', () => {
    const before = numbered(1, 40)
    const after = before.replace('\n10\n', '\nten\n').replace('\n30\n', '\n30\n30b\n')
    expect(unifiedDiff(bytes(before), bytes(after))).toEqual(
      text(
        '@@ -7,7 +7,7 @@',
        ' 7',
        ' 8',
        ' 9',
        '-10',
        '+ten',
        ' 11',
        ' 12',
        ' 13',
        '@@ -28,6 +28,7 @@',
        ' 28',
        ' 29',
        ' 30',
        '+30b',
        ' 31',
        ' 32',
        ' 33',
      ),
    )
  })

  it('of a new or a deleted file contains all of its lines', () => {
    expect(unifiedDiff(null, bytes('a\nb\n'))).toEqual(text('@@ -0,0 +1,2 @@', '+a', '+b'))
    expect(unifiedDiff(bytes('a\nb'), null)).toEqual(text('@@ -1,2 +0,0 @@', '-a', '-b', '\\ No newline at end of file'))
    expect(unifiedDiff(null, bytes(''))).toEqual(text())
  })

  it('contains changes of line endings, byte order marks and the final newline', () => {
    expect(unifiedDiff(bytes('a\r\n'), bytes('a\n'))).toEqual(text('@@ -1,1 +1,1 @@', '-a\r', '+a'))
    expect(unifiedDiff(bytes('\ufeffa\n'), bytes('a\n'))).toEqual(text('@@ -1,1 +1,1 @@', '-\ufeffa', '+a'))
    expect(unifiedDiff(bytes('a\n'), bytes('a'))).toEqual(text('@@ -1,1 +1,1 @@', '-a', '+a', '\\ No newline at end of file'))
  })

  it('says when the encoding changes', () => {
    expect(unifiedDiff(bytes('\ufeffa\n'), bytes('\ufeffa\n', 'utf16le'))).toEqual(text('\\ utf-8 becomes utf-16le'))
    expect(unifiedDiff(bytes('é\n', 'latin1'), bytes('é\n'))).toEqual(text('\\ an unknown encoding becomes utf-8'))
    expect(unifiedDiff(bytes('é\n', 'latin1'), bytes('è\n', 'latin1'))).toEqual(text('@@ -1,1 +1,1 @@', '-é', '+è'))
  })

  it('is not made for binary and very large files', () => {
    expect(unifiedDiff(bytes('a\n'), new Uint8Array([0, 1, 2]))).toEqual({ kind: 'binary' })
    expect(unifiedDiff(null, bytes('x'.repeat(4 * 1024 * 1024 + 1)))).toEqual({ kind: 'too_large' })
  })

  it('of two texts with nothing in common removes all lines and adds all lines', () => {
    const before = numbered(1, 30_000)
    const after = numbered(100_001, 130_000)
    const diff = unifiedDiff(bytes(before), bytes(after))
    if (diff.kind !== 'text') throw new Error(diff.kind)
    expect(diff.lines).toHaveLength(60_001)
    expect([diff.lines[0], diff.lines[1], diff.lines[30_001]]).toEqual(['@@ -1,30000 +1,30000 @@', '-1', '+100001'])
  })

  it('of a new file of 200,000 lines is one hunk', () => {
    const diff = unifiedDiff(null, bytes('a\n'.repeat(200_000)))
    expect(diff.kind === 'text' && diff.lines.length).toBe(200_001)
  })

  it.each([
    ['a\nb\nc\n', 'a\nc\n'],
    ['', 'x\n'],
    ['x', 'x\ny\n'],
    [numbered(1, 100), numbered(50, 150)],
    [numbered(1, 20), `0\n${numbered(1, 9)}${numbered(11, 20)}end`],
  ])('turns the old text into the new one: %j', (before, after) => {
    const diff = unifiedDiff(bytes(before), bytes(after))
    if (diff.kind !== 'text') throw new Error(diff.kind)
    expect(applied(before, diff.lines)).toBe(after)
  })
})
