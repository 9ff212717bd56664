import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asNobody } from './as-nobody.ts'
import { GIF, WEBP, png } from '../support/small-pictures.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { effectsOf, textOf } from './workbench.ts'

const bench = benchOfEachTest()

const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(bench.root, name), content)
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** Returns the segments of a JPEG that contain its type and its size. */
const jpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xff, 0xc0, 0, 17, 8]),
    Buffer.from([height >> 8, height & 255, width >> 8, width & 255, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0, 0xff, 0xd9]),
  ])
const webp = (kind: string, data: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'), Buffer.from(data), Buffer.alloc(16)])

describe('read_file (P3-25)', () => {
  it('P3-22, D-02, T-02: numbers each line, right-aligned in six columns and followed by a tab, and hides CR LF and the final newline', async () => {
    put('a.txt', 'one\r\ntwo\n\nfour\n')
    const { output, isError, details } = await bench.call('read_file', { file_path: 'a.txt' })
    expect({ output, isError, details }).toEqual({
      output: '     1\tone\n     2\ttwo\n     3\t\n     4\tfour',
      isError: false,
      details: { path: join(bench.root, 'a.txt'), firstLine: 1, lines: 4, totalLines: 4, hash: hash('sha256', 'one\r\ntwo\n\nfour\n') },
    })
  })

  it('D-01, T-02: offset counts from 1, the line numbers start at offset, and the result says that there is more', async () => {
    put('a.txt', 'a\nb\nc\nd\n')
    const { output } = await bench.call('read_file', { file_path: 'a.txt', offset: 2, limit: 2 })
    expect(output).toBe('     2\tb\n     3\tc\n(The file has 4 lines; continue with offset 4.)')
  })

  it('D-03: shows 2000 lines by default', async () => {
    put('a.txt', Array.from({ length: 2001 }, (_, index) => `l${index + 1}`).join('\n'))
    const { output } = await bench.call('read_file', { file_path: 'a.txt' })
    expect(textOf(output).split('\n').slice(-2)).toEqual(['  2000\tl2000', '(The file has 2001 lines; continue with offset 2001.)'])
  })

  it('T-11: a line number of more than six digits is not cut off', async () => {
    put('a.txt', `${'\n'.repeat(1_000_000)}last`)
    const { output } = await bench.call('read_file', { file_path: 'a.txt', offset: 1_000_001 })
    expect(output).toBe('1000001\tlast')
  })

  it.each([{ offset: 0 }, { offset: 0, limit: 2 }, { start_line: 0, end_line: 2 }])('%j begins at the first line', async (range) => {
    put('a.txt', 'a\nb\n')
    expect((await bench.call('read_file', { file_path: 'a.txt', ...range })).output).toBe('     1\ta\n     2\tb')
  })

  it('fault 1: a missing file is reported with similar names', async () => {
    mkdirSync(join(bench.root, 'src'))
    put('src/config.ts', '')
    put('src/other.ts', '')
    const { output, isError } = await bench.call('read_file', { file_path: 'src/confg.ts' })
    expect({ output, isError }).toEqual({ output: 'src/confg.ts does not exist. Did you mean src/config.ts?', isError: true })
  })

  it.each([
    ['a narrow no-break space', 'at 10.00\u202fAM.txt', 'at 10.00 AM.txt'],
    ['a curly quote', 'd\u2019un.txt', "d'un.txt"],
    ['letters in another Unicode form', 'e\u0301t\u00e9.txt', '\u00e9te\u0301.txt'],
  ])('a name that only looks the same (%s) opens the existing file, and the result gives its real name', async (_, name, asked) => {
    put(name, 'one\n')
    expect(await bench.call('read_file', { file_path: asked })).toMatchObject({
      isError: false,
      output: `     1\tone\n(The file is called ${name}.)`,
    })
    expect([bench.memory.seen.get(join(bench.root, name)) !== null, bench.memory.seen.get(join(bench.root, asked))]).toEqual([true, null])
    expect(await bench.call('read_many_files', { paths: [asked] })).toMatchObject({ output: `--- ${name} ---\n     1\tone` })
  })

  it('if two names look like the given name, neither is opened, and a link whose name looks like it is not opened either', async () => {
    put('a\u2019b.txt', 'x')
    put('a\u2018b.txt', 'x')
    symlinkSync(join(bench.root, 'a\u2019b.txt'), join(bench.root, 'c\u2019d.txt'))
    for (const file_path of ["a'b.txt", "c'd.txt"]) expect(await bench.call('read_file', { file_path })).toMatchObject({ isError: true })
  })

  it('fault 3: a file of 5 GB is refused without being read, and an alternative is suggested', async () => {
    execFileSync('truncate', ['-s', '5G', join(bench.root, 'huge')])
    const { output, isError } = await bench.call('read_file', { file_path: 'huge' })
    expect(isError).toBe(true)
    expect(output).toMatch(/too large.*Search it/su)
  })

  it('S-17: an image is recognized by its bytes, not by its name', async () => {
    put('picture.txt', PNG)
    const { output, isError } = await bench.call('read_file', { file_path: 'picture.txt' })
    expect({ output, isError }).toEqual({
      output: [
        { kind: 'text', text: 'picture.txt (image/png, 70 bytes)' },
        { kind: 'image', mediaType: 'image/png', data: PNG.toString('base64') },
      ],
      isError: false,
    })
  })

  it.each([
    ['image/jpeg', jpeg(3, 2)],
    ['image/gif', GIF],
    ['image/webp', WEBP],
  ])('S-17, D-48: %s is returned as a description and a separate image part', async (mediaType, bytes) => {
    put('picture', bytes)
    expect((await bench.call('read_file', { file_path: 'picture' })).output).toEqual([
      { kind: 'text', text: `picture (${mediaType}, ${bytes.length} bytes)` },
      { kind: 'image', mediaType, data: bytes.toString('base64') },
    ])
  })

  it('S-17: text in a file named like an image is read as text, and an image that is too large is refused', async () => {
    put('fake.png', 'not an image')
    put('huge.png', Buffer.concat([PNG, Buffer.alloc(4_000_000)]))
    expect((await bench.call('read_file', { file_path: 'fake.png' })).output).toBe('     1\tnot an image')
    expect(await bench.call('read_file', { file_path: 'huge.png' })).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^huge\.png/u),
    })
  })

  it.each([
    ['a PNG', png(8001, 1, [1, 2, 3]), '8001 by 1'],
    ['a JPEG', jpeg(3, 9000), '3 by 9000'],
    ['a GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0x41, 0x1f, 1, 0]), Buffer.alloc(30)]), '8001 by 1'],
    ['a WebP', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x41, 0x1f, 1, 0]), '8001 by 1'],
    ['a lossless WebP', webp('VP8L', [0x2f, 0x40, 0x1f, 0, 0]), '8001 by 1'],
    ['a WebP with extras', webp('VP8X', [0, 0, 0, 0, 0, 0, 0, 0x40, 0x1f, 0]), '1 by 8001'],
  ])('S-17: %s with too many pixels is refused', async (_, bytes, size) => {
    put('long', bytes)
    expect(await bench.call('read_file', { file_path: 'long' })).toMatchObject({
      isError: true,
      output: `long is an image of ${size} pixels; at most 8000 by 8000 can be shown. Make a smaller copy with a command.`,
    })
  })

  it.each([
    ['a PNG that ends after its signature', PNG.subarray(0, 8)],
    ['a PNG that ends before its pixel data', PNG.subarray(0, 36)],
    ['a JPEG without a frame', Buffer.concat([jpeg(3, 2).subarray(0, 20), Buffer.alloc(40)])],
    ['a GIF without a size', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(40)])],
    ['a WebP without a picture', webp('ICCP', [0, 0])],
  ])('S-17: %s is refused as damaged, because no service would accept it', async (_, bytes) => {
    put('broken', bytes)
    expect(await bench.call('read_file', { file_path: 'broken' })).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^broken is a damaged image \(image\/.*, \d+ bytes\), which no model can see\. Use a command /u),
    })
  })

  it('fault 4: other binary files are refused instead of shown as garbage', async () => {
    put('tool', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(20)]))
    const { output, isError } = await bench.call('read_file', { file_path: 'tool' })
    expect({ output, isError }).toEqual({
      output:
        'tool is a binary file (24 bytes), which is not read as text. Use a command such as file, strings or xxd to look into it, or read what it was made from.',
      isError: true,
    })
  })

  it.each([
    [{ offset: 9 }, 'offset 9 is beyond the end of a.txt, which has lines 1 to 2.'],
    [{ offset: -3 }, 'offset must be at least 1, not -3. It takes file_path, offset?, limit?.'],
    [{ offset: 1.5 }, 'offset must be a whole number, not 1.5. It takes file_path, offset?, limit?.'],
    [{ offset: '2' }, 'offset must be a number, not "2". It takes file_path, offset?, limit?.'],
    [{ limit: 0 }, 'limit must be at least 1, not 0. It takes file_path, offset?, limit?.'],
  ])('fault 5: for %j the valid range is given', async (range, message) => {
    put('a.txt', 'a\nb\n')
    const { output, isError } = await bench.call('read_file', { file_path: 'a.txt', ...range })
    expect({ output, isError }).toEqual({ output: message, isError: true })
  })

  it('fault 5: an empty file is reported as empty', async () => {
    put('a.txt', '')
    expect(await bench.call('read_file', { file_path: 'a.txt' })).toMatchObject({ output: '(The file is empty.)', isError: false })
  })

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffä\n'), '     1\tä'],
    ['UTF-16', Buffer.from('\ufeffä\r\nb', 'utf16le'), '     1\tä\n     2\tb'],
  ])('reads %s without the byte order mark', async (_, bytes, shown) => {
    put('a.txt', bytes)
    expect((await bench.call('read_file', { file_path: 'a.txt' })).output).toBe(shown)
  })

  it('fault 10: text in a legacy encoding is shown, and the encoding is named', async () => {
    put('a.txt', Buffer.from('\xef\xf0\xe8\n', 'latin1'))
    put('b.txt', Buffer.from('caf\xe9\n', 'latin1'))
    expect((await bench.call('read_file', { file_path: 'a.txt' })).output).toMatch(/^ {5}1\tïðè\n\(The file is not UTF-8\./u)
    expect((await bench.call('read_file', { file_path: 'b.txt' })).output).toMatch(/^ {5}1\tcafé\n\(The file is in Windows-1252/u)
  })

  it('R-30, D-51: accepts other agents’ argument names, and treats null as missing', async () => {
    put('a.txt', 'a\nb\n')
    expect((await bench.call('read_file', { path: 'a.txt', offset: null, limit: 1 })).output).toMatch(/^ {5}1\ta\n/u)
  })

  it('a read inside the folder needs no signature, but a read outside or through a link that leads outside does', async () => {
    put('a.txt', 'a')
    symlinkSync('/etc/hostname', join(bench.root, 'link'))
    expect(effectsOf(await bench.prepare('read_file', { file_path: 'a.txt' }))).toEqual([])
    const outside = [{ kind: 'read', path: '/etc/hostname', shown: '/etc/hostname', outside: true, control: false }]
    expect(effectsOf(await bench.prepare('read_file', { file_path: '/etc/hostname' }))).toEqual(outside)
    expect(effectsOf(await bench.prepare('read_file', { file_path: 'link' }))).toEqual(outside)
  })

  it('a file counts as read only if it could be read', async () => {
    put('a.txt', 'a')
    await bench.call('read_file', { file_path: 'a.txt' })
    await bench.call('read_file', { file_path: 'b.txt' })
    const at = (name: string): string => join(bench.root, name)
    expect([bench.memory.seen.get(at('a.txt')), bench.memory.seen.get(at('b.txt'))]).toEqual([hash('sha256', 'a'), null])
  })

  it('a partly read file counts as partly read, and the parts that were read add up', async () => {
    put('a.txt', 'one\ntwo\nthree\nfour\n')
    const lines = () => bench.memory.seen.lines(join(bench.root, 'a.txt'))
    await bench.call('read_file', { file_path: 'a.txt', limit: 1 })
    await bench.call('read_file', { file_path: 'a.txt', offset: 3, limit: 1 })
    expect(lines()).toEqual({
      ranges: [
        [1, 1],
        [3, 3],
      ],
      total: 4,
    })
    await bench.call('read_file', { file_path: 'a.txt', offset: 2 })
    expect(lines()).toBe(null)
  })

  it('lines cut off by the character limit do not count as read', async () => {
    put('a.txt', `${'x'.repeat(9_992)}\n`.repeat(10))
    await bench.call('read_file', { file_path: 'a.txt' })
    expect(bench.memory.seen.lines(join(bench.root, 'a.txt'))).toEqual({
      ranges: [
        [1, 2],
        [9, 10],
      ],
      total: 10,
    })
  })

  it('fault 14: a file without read permission is reported as unreadable', () => {
    put('a.txt', 'secret')
    chmodSync(join(bench.root, 'a.txt'), 0)
    const result = asNobody([bench.root], bench.root, `return bench.call('read_file', { file_path: 'a.txt' })`)
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('permission denied') })
  })
})

describe('fault 18: unusual paths', () => {
  it.each([
    ['a path with a NUL character', 'a\0b', 'a\\u{0}b cannot be used: The path contains a NUL character.'],
    ['a path that is too long', 'x'.repeat(5000), /^x{100}…x{200} cannot be used: .*ENAMETOOLONG/u],
    ['a path with half a character', 'a\ud800', 'The path contains half a character (a lone surrogate). Send the complete character.'],
  ])('%s is refused with a message', async (_, path, message) => {
    const { output, isError } = await bench.call('read_file', { file_path: path })
    expect(isError).toBe(true)
    if (typeof message === 'string') expect(output).toBe(message)
    else expect(output).toMatch(message)
  })

  it.each(['trailing space ', 'dot.', 'CON', '😀.txt', 'e\u0301.txt', 'a\nb', '-rf', '~x'])('%j is an ordinary name', async (name) => {
    put(name, 'hello')
    expect((await bench.call('read_file', { file_path: name })).output).toBe('     1\thello')
  })

  it('~ is the home folder, .. is resolved, and both are judged by their target', async () => {
    mkdirSync(bench.home)
    writeFileSync(join(bench.home, 'a.txt'), 'at home')
    expect((await bench.call('read_file', { file_path: '~/a.txt' })).output).toBe('     1\tat home')
    expect(effectsOf(await bench.prepare('read_file', { file_path: '../x' }))).toMatchObject([{ kind: 'read', outside: true }])
  })
})
