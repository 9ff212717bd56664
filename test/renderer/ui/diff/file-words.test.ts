import { expect, test } from 'vitest'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import { fileNote, viewFile } from '../../../../renderer/ui/diff/file-words.ts'

const text = (content: string): BlobText => ({ kind: 'text', text: content })

test('two different texts are shown as a diff', () => {
  expect(viewFile(text('a\n'), text('b\n'))).toEqual({ kind: 'text', before: 'a\n', after: 'b\n', fact: null })
})

test('the heading of a file says “new” or “deleted”, or has no such note', () => {
  expect([fileNote(null, text('a')), fileNote(text('a'), null), fileNote(text('a'), text('b'))]).toEqual(['new', 'deleted', null])
  expect(viewFile(null, text('a\n'))).toEqual({ kind: 'text', before: null, after: 'a\n', fact: null })
  expect(viewFile(null, text(''))).toEqual({ kind: 'words', words: 'A new, empty file.' })
  expect(viewFile(text(''), null)).toEqual({ kind: 'words', words: 'The file was empty.' })
})

test('changed line endings are described in a sentence, not shown as a diff of every line', () => {
  expect(viewFile(text('a\nb\n'), text('a\r\nb\r\n'))).toEqual({
    kind: 'words',
    words: 'Only line endings differ: LF becomes CRLF in 2 lines. The text is the same.',
  })
  expect(viewFile(text('a\nb\r\n'), text('a\nb\n'))).toEqual({
    kind: 'words',
    words: 'Only line endings differ, in 1 line. The text is the same.',
  })
})

test('if all line endings and some lines change, a sentence describes the line endings, and only those lines are shown', () => {
  expect(viewFile(text('a\r\nb\r\n'), text('a\nc\n'))).toEqual({
    kind: 'text',
    before: 'a\nb\n',
    after: 'a\nc\n',
    fact: 'All line endings change from CRLF to LF. The lines below also contain other changes.',
  })
})

test('a line ending that changed in one line is shown as a change of that line if other lines changed, too', () => {
  expect(viewFile(text('a\nb\n'), text('a\r\nc\n'))).toEqual({ kind: 'text', before: 'a\nb\n', after: 'a\r\nc\n', fact: null })
})

test('a binary or too large file is described by its sizes, and missing content by a sentence', () => {
  expect(viewFile({ kind: 'binary', bytes: 12_000 }, { kind: 'binary', bytes: 14_000 })).toEqual({
    kind: 'words',
    words: 'Not text. 12\u00a0kB before, 14\u00a0kB after.',
  })
  expect(viewFile(null, { kind: 'too_large', bytes: 12_000_000 })).toEqual({
    kind: 'words',
    words: 'Too large to be shown as lines. 12\u00a0MB, new.',
  })
  expect(viewFile({ kind: 'missing' }, text('a'))).toEqual({
    kind: 'words',
    words: 'The content of this file is not stored here, so the diff cannot be shown.',
  })
})

test('the same text in another encoding does not count as unchanged', () => {
  expect(viewFile(text('a'), text('a'))).toEqual({
    kind: 'words',
    words: 'The text is unchanged. Only its encoding or byte order mark changes.',
  })
})
