import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { failed } from '../../shared/lib/result.ts'
import { readDocumentInWorker } from '../../main/tools/documents/read-document-in-worker.ts'
import { pdfOf } from '../support/small-pdf.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'

const bench = benchOfEachTest()

it('a PDF is read as text page by page, but reading it does not allow write_file to replace it', async () => {
  writeFileSync(join(bench.root, 'a.pdf'), pdfOf('Hello there', 'Second page'))
  expect((await bench.call('read_file', { file_path: 'a.pdf' })).output).toBe(
    '     1\t[Page 1 of 2]\n     2\tHello there\n     3\t\n     4\t[Page 2 of 2]\n     5\tSecond page\n(The text of a PDF; pictures in it are not shown.)',
  )
  expect(await bench.call('write_file', { file_path: 'a.pdf', content: 'x' })).toMatchObject({ isError: true })
})

it('a damaged PDF is reported as damaged', async () => {
  writeFileSync(join(bench.root, 'a.pdf'), Buffer.from('%PDF-1.4\nnothing of it'))
  expect(await bench.call('read_file', { file_path: 'a.pdf' })).toEqual({
    output: 'a.pdf is a PDF that cannot be read: it is damaged, or locked by a password.',
    isError: true,
    details: null,
  })
})

it('a page that takes minutes to parse blocks nothing else, times out, and can be stopped', async () => {
  const page = { kind: 'article', html: `<html><body>${'<div>'.repeat(100_000)}x</body></html>`, url: 'https://x.test/' } as const
  let turns = 0
  const turning = setInterval(() => turns++, 10)
  expect(await readDocumentInWorker(page, new AbortController().signal, 1500)).toEqual(failed('was not parsed within 1.5 s.'))
  clearInterval(turning)
  expect(turns).toBeGreaterThan(5)
  const abort = new AbortController()
  const stopped = readDocumentInWorker(page, abort.signal)
  abort.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
})
