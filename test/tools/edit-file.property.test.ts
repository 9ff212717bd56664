import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Encoding, bomBytes, encodeText } from '../../main/tools/text/encoding.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'

const bench = benchOfEachTest()

const rows = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r', '')), { maxLength: 15 })
const content = rows.map((all) =>
  all
    .map((row) => row.join(''))
    .join('')
    .replaceAll('\0', ''),
)
const forms = fc.constantFrom<{ readonly encoding: Encoding; readonly bom: number }>(
  { encoding: 'utf-8', bom: 0 },
  { encoding: 'utf-8', bom: 3 },
  { encoding: 'utf-16le', bom: 2 },
  { encoding: 'utf-16be', bom: 2 },
)

it('rule 8, T-01: after a read and an edit, every byte outside the edit is unchanged on disk', async () => {
  await fc.assert(
    fc.asyncProperty(forms, content, content, fc.string({ unit: 'grapheme', maxLength: 8 }), async (form, before, after, word) => {
      const fresh = word.replaceAll(/[\0\r\n]/gu, '')
      const bytes = (text: string): Buffer => Buffer.concat([bomBytes(form), Buffer.from(encodeText(text, form.encoding) ?? [])])
      writeFileSync(join(bench.root, 'a.txt'), bytes(`${before}<the old text>${after}`))
      await bench.call('read_file', { file_path: 'a.txt' })
      const { isError } = await bench.call('edit_file', { file_path: 'a.txt', old_string: '<the old text>', new_string: fresh })
      expect(isError).toBe(false)
      expect(readFileSync(join(bench.root, 'a.txt'))).toEqual(bytes(`${before}${fresh}${after}`))
    }),
    { numRuns: 60 },
  )
})
