import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finished } from '../../../shared/lib/passes.ts'
import { editBytes, insertLines } from '../../../main/tools/text/edit-bytes.ts'
import { type Encoding, bomBytes, encodeText, textFormOf } from '../../../main/tools/text/encoding.ts'
import { showEdits } from '../../../main/tools/text/show-edits.ts'

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')

/** Edits bytes as the tool does. Returns the new bytes or the reason why there was no match. */
function edit(bytes: Uint8Array, old: string, fresh: string, all = false) {
  const form = textFormOf(bytes)
  if (form === null) return 'binary'
  const result = finished(editBytes(bytes, form, { old, new: fresh, all }))
  return result.ok ? Buffer.from(result.value.bytes) : result.failure
}

const text = (value: string): Buffer => Buffer.from(value)

describe('line endings (D-37, fault 12)', () => {
  it.each([
    ['CRLF is kept for unchanged, changed and added lines', 'a\r\nb\r\nc\r\n', 'a\nb\nc', 'a\nB\nnew\nc', 'a\r\nB\r\nnew\r\nc\r\n'],
    ['each line of a mixed file keeps its own ending', 'a\r\nb\nc\r\nd', 'a\nb\nc', 'A\nB\nC', 'A\r\nB\nC\r\nd'],
    ['a changed line gets the ending of the line it replaces', 'a\nb\r\nc\n', 'b\n', 'x\n', 'a\nx\r\nc\n'],
    ['an added line gets the ending of its neighbors', 'a\nb\r\nc\r\nd\n', 'c', 'c\nc2', 'a\nb\r\nc\r\nc2\r\nd\n'],
    ['an added line gets the file’s most common ending if its neighbors differ', 'a\r\nb\nc\nd\n', 'b', 'b\nb2', 'a\r\nb\nb2\nc\nd\n'],
    ['a single line becomes two', 'a\r\n', 'a', 'b\nc', 'b\r\nc\r\n'],
    ['a single line becomes two, with line breaks in the texts', 'a\r\n', 'a\n', 'b\nc\n', 'b\r\nc\r\n'],
    ['a line is added before a single line', 'a\r\n', 'a\n', 'b\na\n', 'b\r\na\r\n'],
    ['a lone CR is never used for a new line', 'a\rb\rc', 'b', 'b\nx', 'a\rb\nx\rc'],
    ['a lone CR in an unchanged line is kept', 'one\rtwo\rthree\r', 'two', 'TWO', 'one\rTWO\rthree\r'],
    ['no final newline is added', 'a\nb', 'b', 'c', 'a\nc'],
    ['a final newline is removed only if the old text contains it', 'a\nb\n', 'b\n', 'b2', 'a\nb2'],
    ['CR CR LF keeps its extra CR', 'a\r\r\nb\r\n', 'b', 'c', 'a\r\r\nc\r\n'],
    ['a leading line break in the old text matches a complete CR LF', 'a\r\nb', '\nb', '\nc', 'a\r\nc'],
    ['a CR LF in the new text becomes the file’s ending', 'a\nb\n', 'b', 'x\r\ny', 'a\nx\ny\n'],
    ['a CR LF that only the old text contains is kept', 'a\r\nb\r\n', 'a\r\nb', 'a\nc', 'a\r\nc\r\n'],
    ['mixed endings in the texts do not change the file’s endings', 'a\r\nb\r\nc\r\n', 'a\r\nb\nc', 'a\nB\r\nc', 'a\r\nB\r\nc\r\n'],
    ['an edit that changes only endings is literal: to LF', 'a\r\nb\r\n', 'a\r\nb', 'a\nb', 'a\nb\r\n'],
    ['an edit that changes only endings is literal: to CR LF', 'a\nb\n', 'a\nb', 'a\r\nb', 'a\r\nb\n'],
    ['a CR LF in the old text matches an LF in the file', 'a\nb\n', 'a\r\nb', 'x\r\ny', 'x\ny\n'],
  ])('%s', (_, before, old, fresh, after) => {
    expect(edit(text(before), old, fresh)).toEqual(text(after))
  })
})

describe('what can be replaced', () => {
  it('T-11, fault 13: dollar patterns and escapes are literal', () => {
    expect(edit(text('x y'), 'y', String.raw`$& $1 $$ $' \n`)).toEqual(text(String.raw`x $& $1 $$ $' \n`))
  })

  it('T-19: overlapping occurrences count as several matches', () => {
    expect(edit(text('aaa'), 'aa', 'b')).toEqual({ kind: 'several', count: 2, lines: [1, 1] })
  })

  it('replaces all matches from left to right, but none inside a replacement', () => {
    expect(edit(text('aaa aa'), 'aa', 'aaa', true)).toEqual(text('aaaa aaa'))
  })

  it('fault 7: says how often a text occurs and in which lines, at most twenty', () => {
    expect(edit(text('x\r\ny\r\nx\r\n\r\nx'), 'x', 'z')).toEqual({ kind: 'several', count: 3, lines: [1, 3, 5] })
    expect(edit(text('x\n'.repeat(30)), 'x', 'z')).toEqual({
      kind: 'several',
      count: 30,
      lines: Array.from({ length: 20 }, (_, i) => i + 1),
    })
  })

  it('an edit that results in the same bytes changes nothing', () => {
    expect(edit(text('a\r\nb'), 'a\nb', 'a\r\nb')).toEqual({ kind: 'unchanged' })
  })

  it('a file with a NUL byte, or a UTF-16 file with an odd number of bytes, is binary', () => {
    expect(edit(text('a\0b'), 'a', 'c')).toBe('binary')
    expect(edit(Uint8Array.of(0xff, 0xfe, 0x61), 'a', 'c')).toBe('binary')
  })
})

describe('encodings (fault 10, fault 11)', () => {
  it('keeps a UTF-8 byte order mark, and never treats it as text', () => {
    const file = Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), text('ä = 1\r\n')])
    expect(edit(file, 'ä', 'ö')).toEqual(Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), text('ö = 1\r\n')]))
    expect(edit(file, '\ufeffä', 'x')).toEqual({ kind: 'absent' })
  })

  it.each(['utf-16le', 'utf-16be'] as const)('%s is kept with its byte order mark and line endings', (encoding) => {
    const file = (content: string): Buffer => Buffer.concat([bomBytes({ encoding, bom: 2 }), encodeText(content, encoding) ?? Buffer.of()])
    expect(edit(file('one\r\nzwei €\r\n'), 'one\nzwei €', 'eins\nzwei 😀\ndrei')).toEqual(file('eins\r\nzwei 😀\r\ndrei\r\n'))
  })

  it('in UTF-16 a match begins only at a code unit, so the last byte of Ā and the first byte of a are not found as one character', () => {
    // "Āa" is 00 01 61 00 in little endian; the bytes 01 61 would be U+6101.
    const file = Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from('Āa', 'utf16le')])
    expect(edit(file, '\u6101', 'x')).toEqual({ kind: 'absent' })
  })

  it('fault 10: in CP1252 an ASCII edit changes only the matched bytes', () => {
    expect(edit(latin('caf\xe9 = 1; // \x80\n'), '= 1', '= 22')).toEqual(latin('caf\xe9 = 22; // \x80\n'))
    // "é " cannot be a two-byte character, so é is a single byte in this file, and "s" begins a character.
    expect(edit(latin('caf\xe9 caf\xe9s = 1\n'), 's = 1', 's = 2')).toEqual(latin('caf\xe9 caf\xe9s = 2\n'))
  })

  it('fault 10: in an unknown encoding only ASCII can be matched or inserted', () => {
    expect(edit(latin('\xef\xf0\xe8'), 'ïðè', 'x')).toEqual({ kind: 'encoding', which: 'old' })
    expect(edit(latin('\xef\xf0\xe8 x'), 'x', 'é')).toEqual({ kind: 'encoding', which: 'new' })
  })

  it('T-18: no match begins at the second byte of a Shift-JIS character, even if it is a backslash', () => {
    // These bytes are "表示\n" and a real backslash: 95 5C 8E A6 0A 5C.
    const file = Uint8Array.of(0x95, 0x5c, 0x8e, 0xa6, 0x0a, 0x5c)
    expect(edit(file, '\\', '/')).toEqual(Buffer.of(0x95, 0x5c, 0x8e, 0xa6, 0x0a, 0x2f))
    expect(edit(file.subarray(0, 5), '\\', '/')).toEqual({ kind: 'encoding', which: 'place' })
  })
})

describe('properties', () => {
  const ending = fc.constantFrom('\n', '\r\n', '\r')
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '€', '😀', '表', '$', '\\'), maxLength: 6 })
  const content = fc.array(fc.tuple(line, ending), { maxLength: 12 }).map((rows) => rows.map((row) => row.join('')).join(''))
  const form = fc.constantFrom<{ readonly encoding: Encoding; readonly bom: number }>(
    { encoding: 'utf-8', bom: 0 },
    { encoding: 'utf-8', bom: 3 },
    { encoding: 'utf-16le', bom: 2 },
    { encoding: 'utf-16be', bom: 2 },
  )

  it('T-01, rule 8: an edit of one place leaves every byte outside it unchanged, in any encoding and with any line endings', () => {
    fc.assert(
      fc.property(form, content, content, line, (how, before, after, fresh) => {
        const encode = (value: string): Buffer => Buffer.from(encodeText(value, how.encoding) ?? [])
        const file = Buffer.concat([bomBytes(how), encode(`${before}<old>${after}`)])
        const expected = Buffer.concat([bomBytes(how), encode(`${before}${fresh}${after}`)])
        fc.pre(fresh !== '<old>')
        expect(edit(file, '<old>', fresh)).toEqual(expected)
      }),
    )
  })

  it('an edit of complete lines keeps the ending of every line that is in both versions', () => {
    const rows = fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(rows, fc.nat(), fc.string({ maxLength: 3, unit: fc.constantFrom('x', 'y') }), (all, pick, word) => {
        const at = pick % all.length
        const numbered = all.map(([name, end], index) => ({ name: `${name}${index}`, end }))
        const before = numbered.map(({ name, end }) => name + end).join('')
        const old = numbered.map(({ name }) => `${name}\n`).join('')
        const fresh = numbered.map(({ name }, index) => `${index === at ? `changed${word}` : name}\n`).join('')
        const after = numbered.map(({ name, end }, index) => (index === at ? `changed${word}` : name) + end).join('')
        expect(edit(text(before), old, fresh)).toEqual(text(after))
      }),
    )
  })

  it('fault 10: an ASCII edit in arbitrary bytes changes only the matched bytes or nothing', () => {
    const bytes = fc.uint8Array({ min: 1, max: 255, maxLength: 40 })
    fc.assert(
      fc.property(bytes, bytes, (before, after) => {
        const file = Buffer.concat([before, Buffer.from('<old>'), after])
        // After a byte order mark, the same bytes stand for other characters.
        fc.pre(!['fffe', 'feff'].includes(file.toString('hex', 0, 2)))
        const result = edit(file, '<old>', 'new')
        if (Buffer.isBuffer(result)) expect(result).toEqual(Buffer.concat([before, Buffer.from('new'), after]))
        else expect(['binary', 'encoding']).toContain(typeof result === 'string' ? result : result.kind)
      }),
    )
  })
})

describe('an edit of a file of 8 MB', () => {
  const MB = 1024 * 1024
  const bytes = Buffer.from(`${'some text in a line\r\n'.repeat(8 * 50_000)}the end\r\nof the file\r\n`)
  const start = bytes.indexOf('the end')
  const form = { encoding: 'utf-8', bom: 0 } as const
  const place = { start, end: start + 3, oldStart: start, oldEnd: start + 3 }

  it.each([
    ['searches and copies', 2, () => editBytes(bytes, form, { old: 'the end', new: 'an end', all: false })],
    [
      'searches, searches line endings, copies, searches again and copies',
      5,
      () => editBytes(bytes, form, { old: 'the end\nof', new: 'a line\nof', all: false }),
    ],
    ['counts lines and copies', 2, () => insertLines(bytes, form, 100_000, 'a line\n')],
    ['counts lines', 1, () => showEdits(bytes, { bytes, places: [place] }, form)],
  ])('%s in passes of at most 1 MB', (_, times, edited) => {
    expect([...edited()].length).toBeGreaterThanOrEqual(times * Math.floor(bytes.length / MB))
  })
})
