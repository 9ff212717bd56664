import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ok } from '../../../shared/lib/result.ts'
import { applyDiff } from '../../driver/program/apply-diff.ts'

interface Row {
  readonly text: string
  readonly ending: '\n' | '\r\n'
  /** Whether the patch keeps the line. `added`: the lines that the patch adds after it. */
  readonly kept: boolean
  readonly added: readonly string[]
}

/** All lines of the file differ, so each place is unambiguous. */
const texts = fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replaceAll(/[\r\n]/gu, ''))
const rows = fc
  .array(
    fc.record<Row>({
      text: texts,
      ending: fc.constantFrom('\n', '\r\n'),
      kept: fc.boolean(),
      added: fc.array(texts, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => all.map((row, index) => ({ ...row, text: `${index}${row.text}` })))

it('rule 8, T-17: a patch of a random file with random line endings changes only the given lines', () => {
  fc.assert(
    fc.property(rows, fc.boolean(), (all, withNewline) => {
      const last = all.length - 1
      const ended = all.map((row, index) => ({ ...row, ending: index === last && !withNewline ? '' : row.ending }))
      const input = ended.map(({ text, ending }) => text + ending).join('')
      const diff = ended.flatMap(({ text, kept, added }) => [(kept ? ' ' : '-') + text, ...added.map((line) => `+new ${line}`)]).join('\n')
      const result = applyDiff(input, diff)
      if (!result.ok) throw new Error(result.failure)
      const lines = (value: string): readonly string[] => value.split('\n').map((line) => line.replace(/\r$/u, ''))
      const expected = ended.flatMap(({ text, kept, added }) => [...(kept ? [text] : []), ...added.map((line) => `new ${line}`)])
      expect(lines(result.value)).toEqual(expected.length === 0 ? [''] : [...expected, ...(withNewline ? [''] : [])])
      const stays = (index: number): boolean =>
        ended.slice(index + 1).some((row) => row.kept) || ended.slice(index).some((row) => row.added.length > 0)
      for (const [index, row] of ended.entries()) {
        if (row.kept && (withNewline || stays(index))) expect(result.value).toContain(row.text + row.ending)
      }
    }),
    { numRuns: 300 },
  )
})

it('a patch followed by its inverse restores the file, byte for byte', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom<'\n' | '\r\n'>('\n', '\r\n'), (all, ending) => {
      const input = all.map(({ text }) => text + ending).join('')
      const change = (there: string, back: string): string =>
        all.flatMap(({ text, kept }) => (kept ? [` ${text}`] : [`-${there}${text}`, `+${back}${text}`])).join('\n')
      const forth = applyDiff(input, change('', 'new '))
      expect(forth.ok && applyDiff(forth.value, change('new ', ''))).toEqual(ok(input))
    }),
    { numRuns: 200 },
  )
})

it('whatever the text and the diff, apply_diff returns a result and never throws', () => {
  const line = fc
    .tuple(fc.constantFrom('@@', '@@ ', ' ', '-', '+', '', '*** End of File', '\\ No newline at end of file', '***'), texts)
    .map((pair) => pair.join(''))
  fc.assert(
    fc.property(
      fc.array(texts).map((all) => all.join('\n')),
      fc.array(line).map((all) => all.join('\n')),
      (input, diff) => {
        expect(typeof applyDiff(input, diff).ok).toBe('boolean')
        expect(typeof applyDiff(input, diff, 'create').ok).toBe('boolean')
      },
    ),
    { numRuns: 500 },
  )
})
