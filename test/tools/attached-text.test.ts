import { expect, test } from 'vitest'
import { attachedText } from '../../main/tools/documents/attached-text.ts'
import { pdfOf } from '../support/small-pdf.ts'

const { signal } = new AbortController()
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Über', 'utf16le')])

test.each([
  ['text', 'a.md', Buffer.from('Hello'), { ok: true, value: 'File a.md:\n\nHello' }],
  ['text in UTF-16', 'a.txt', utf16, { ok: true, value: 'File a.txt:\n\nÜber' }],
  ['a PDF', 'a.pdf', pdfOf('Hello'), { ok: true, value: expect.stringMatching(/^File a\.pdf \(the text of a PDF, .*Hello/su) as unknown }],
  [
    'a damaged PDF',
    'a.pdf',
    Buffer.from('%PDF-1.4\nno'),
    { ok: false, failure: expect.stringContaining('is a PDF that cannot be read') as unknown },
  ],
  [
    'other bytes',
    'a.zip',
    Buffer.from([80, 75, 3, 4, 0, 0]),
    { ok: false, failure: 'is neither a picture nor text, a PDF or a notebook.' },
  ],
  ['only spaces', 'a.txt', Buffer.from(' \n'), { ok: false, failure: 'contains no text.' }],
  [
    'a long text',
    'a.log',
    Buffer.alloc(400_001, 'x'),
    { ok: false, failure: 'has 400,001 characters, but a message can contain at most 400,000 characters of a file.' },
  ],
])('an attached file: %s', async (_, name, bytes, expected) => {
  expect(await attachedText(name, bytes, signal)).toEqual(expected)
})
