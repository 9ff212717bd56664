import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

/** The ways in which each row is tested. `security-rows.test.ts` explains `fake`, `setting` and `file`. */
const SHOWN: Readonly<Record<number, readonly string[]>> = {
  1: ['fake'],
  2: ['setting', 'runtime'],
  3: ['setting', 'runtime'],
  4: ['setting', 'file', 'runtime'],
  5: ['fake', 'runtime'],
  6: ['setting'],
  7: ['setting', 'runtime'],
  8: ['setting'],
  9: ['setting'],
  10: ['setting'],
  11: ['fake', 'runtime'],
  12: ['fake', 'runtime'],
  13: ['fake', 'runtime'],
  14: ['fake', 'runtime'],
  15: ['fake'],
  16: ['file'],
  17: ['fake'],
  18: ['fake', 'setting', 'runtime'],
  19: ['packaging'],
  20: ['fake', 'file', 'runtime'],
}

describe('the list of tests for each row', () => {
  it('matches the titles of the tests for all twenty rows', async () => {
    const marks = [
      [/\(with a fake Electron\)/, 'fake', './security-rows.test.ts'],
      [/\(setting passed to a fake Electron\)/, 'setting', './security-rows.test.ts'],
      [/\(checked in the files\)/, 'file', './security-rows.test.ts'],
      [/./, 'packaging', './packaging.test.ts'],
      [/\(needs the runtime\)/, 'runtime', '../e2e/shell/electron.spec.ts'],
    ] as const
    const shown: Record<number, string[]> = {}
    for (const [mark, word, file] of marks) {
      const source = await readFile(new URL(file, import.meta.url), 'utf8')
      const titles = [...source.matchAll(/\(\s*'(rows? \d.*)'/g)].map(([, title]) => title ?? '').filter((title) => mark.test(title))
      const rows = titles.flatMap((title) => (/^rows? (\d+)(?: and (\d+))?/.exec(title) ?? []).slice(1).filter(Boolean))
      for (const row of new Set(rows)) (shown[Number(row)] ??= []).push(word)
    }
    const sorted = (lists: Readonly<Record<number, readonly string[]>>) =>
      Object.fromEntries(Object.entries(lists).map(([row, list]) => [row, list.toSorted()]))
    expect(sorted(shown)).toEqual(sorted(SHOWN))
  })
})
