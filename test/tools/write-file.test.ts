import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asNobody } from './as-nobody.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { createWorkbench, effectsOf, refusalOf, textOf } from './workbench.ts'

const bench = benchOfEachTest()

const at = (name: string): string => join(bench.root, name)
const put = (name: string, content: string | Uint8Array): void => writeFileSync(at(name), content)
const readBack = (name: string): string => readFileSync(at(name), 'utf8')
const write = (file_path: string, content: string) => bench.call('write_file', { file_path, content })

describe('write_file (P3-25)', () => {
  it('R-12, S-18, P3-23: creates the file and its folders, and reports the bytes and the path', async () => {
    expect(await write('new/sub/a.txt', 'grüß\n')).toEqual({
      output: 'Wrote 7 bytes to new/sub/a.txt.',
      isError: false,
      details: { files: [{ path: at('new/sub/a.txt'), shown: 'new/sub/a.txt', created: true, added: 1, removed: 0 }] },
    })
    expect(readBack('new/sub/a.txt')).toBe('grüß\n')
    expect((await write('b.txt', 'x')).output).toBe('Wrote 1 byte to b.txt.')
  })

  it('fault 1: no second file is created if its name differs from an existing one only in Unicode composition', async () => {
    put('e\u0301.txt', 'one\n')
    expect(await write('\u00e9.txt', 'two\n')).toMatchObject({ isError: true, output: expect.stringContaining('you have not read it') })
    await bench.call('read_file', { file_path: '\u00e9.txt' })
    expect(await write('\u00e9.txt', 'two\n')).toMatchObject({ isError: false })
    expect([readdirSync(bench.root), readBack('e\u0301.txt')]).toEqual([['e\u0301.txt'], 'two\n'])
    put('a\u2019b.txt', 'x')
    expect(await write("a'b.txt", 'y')).toMatchObject({ isError: false })
    expect([readBack('a\u2019b.txt'), readBack("a'b.txt")]).toEqual(['x', 'y'])
  })

  it('shows its effect before writing: hashes, sizes and line counts of both stored versions', async () => {
    put('a.txt', 'one\ntwo\n')
    await bench.call('read_file', { file_path: 'a.txt' })
    const prepared = await bench.prepare('write_file', { file_path: './x/../a.txt', content: 'one\nthree\nfour\n' })
    const before = hash('sha256', 'one\ntwo\n')
    const after = hash('sha256', 'one\nthree\nfour\n')
    expect(effectsOf(prepared)).toEqual([
      {
        kind: 'write',
        path: at('a.txt'),
        shown: 'a.txt',
        outside: false,
        control: false,
        before,
        after,
        beforeBytes: 8,
        afterBytes: 15,
        lines: { added: 2, removed: 1 },
      },
    ])
    expect([...bench.blobs].map(([key, bytes]) => [key, Buffer.from(bytes).toString()])).toEqual([
      [before, 'one\ntwo\n'],
      [after, 'one\nthree\nfour\n'],
    ])
    expect(readBack('a.txt')).toBe('one\ntwo\n')
  })

  it('a new file has no old version', async () => {
    expect(effectsOf(await bench.prepare('write_file', { file_path: 'a.txt', content: 'x' }))).toMatchObject([
      { before: null, beforeBytes: 0, lines: { added: 1, removed: 0 } },
    ])
  })

  it('a file that was never read is not replaced', async () => {
    put('a.txt', 'precious')
    expect(await write('a.txt', 'x')).toEqual({
      output: 'a.txt exists and you have not read it. Read it first, or edit a part of it.',
      isError: true,
      details: null,
    })
    expect(readBack('a.txt')).toBe('precious')
  })

  it('fault 9: a file that has changed since it was read is not replaced', async () => {
    put('a.txt', 'one')
    await bench.call('read_file', { file_path: 'a.txt' })
    put('a.txt', 'by somebody else')
    expect(await write('a.txt', 'x')).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^a\.txt has changed since you read it\./u),
    })
    expect(readBack('a.txt')).toBe('by somebody else')
  })

  it('content written by write_file counts as read', async () => {
    await write('a.txt', 'one')
    expect(await write('a.txt', 'two')).toMatchObject({ isError: false })
    expect(readBack('a.txt')).toBe('two')
  })

  it('an empty file can be filled without being read', async () => {
    put('a.txt', '')
    expect(await write('a.txt', 'x')).toMatchObject({ isError: false })
  })

  it('C10: changes between the signature and the write are not overwritten', async () => {
    put('a.txt', 'one')
    await bench.call('read_file', { file_path: 'a.txt' })
    const prepared = await bench.prepare('write_file', { file_path: 'a.txt', content: 'two' })
    put('a.txt', 'in between')
    expect(await bench.commit(prepared)).toEqual({
      output: 'a.txt has changed since this step was signed. Nothing was written. Read the file again, then decide again.',
      isError: true,
      details: null,
    })
    expect(readBack('a.txt')).toBe('in between')
  })

  it('C10: a file that appeared after the signature, or whose folder or name became a link, is not overwritten', async () => {
    mkdirSync(at('sub'))
    const prepared = await bench.prepare('write_file', { file_path: 'sub/a.txt', content: 'two' })
    put('sub/a.txt', 'appeared')
    expect(await bench.commit(prepared)).toMatchObject({ isError: true })
    expect(readBack('sub/a.txt')).toBe('appeared')
    const other = await bench.prepare('write_file', { file_path: 'b.txt', content: 'two' })
    put('target', 'victim')
    symlinkSync(at('target'), at('b.txt'))
    expect(await bench.commit(other)).toEqual({
      output: 'b.txt leads to a different place than when the call was prepared. Nothing was done. Make the call again.',
      isError: true,
      details: null,
    })
    expect(readBack('target')).toBe('victim')
  })

  it('a file is replaced only after it was read to its end', async () => {
    put('a.txt', 'one\ntwo\nthree\n')
    await bench.call('read_file', { file_path: 'a.txt', limit: 2 })
    expect(await write('a.txt', 'new')).toEqual({
      output:
        'You have read only lines 1 to 2 of 3 of a.txt, and the rest would be lost. ' +
        'Read the rest with offset and limit, edit a part of it, or delete it first.',
      isError: true,
      details: null,
    })
    expect(readBack('a.txt')).toBe('one\ntwo\nthree\n')
    await bench.call('read_file', { file_path: 'a.txt', offset: 3 })
    expect(await write('a.txt', 'new')).toMatchObject({ isError: false })
  })

  it('changing a part does not count as reading the rest of the file', async () => {
    const lines = (name: string) => bench.memory.seen.lines(at(name))
    put('a.txt', 'one\ntwo\nthree\nfour\n')
    await bench.call('edit_file', { file_path: 'a.txt', old_string: 'three', new_string: '3' })
    expect(lines('a.txt')).toEqual({ ranges: [], total: 0 })
    expect(await write('a.txt', 'new')).toMatchObject({ isError: true })
    await bench.call('read_file', { file_path: 'a.txt', limit: 3 })
    await bench.call('multi_edit', { file_path: 'a.txt', edits: [{ old_string: 'two', new_string: '2' }] })
    expect(lines('a.txt')).toEqual({ ranges: [[1, 1]], total: 4 })
    await bench.call('apply_patch', { patch: '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n-four\n+4\n*** End Patch' })
    expect(lines('b.txt')).toEqual({ ranges: [[1, 1]], total: 4 })
    expect(await write('b.txt', 'new')).toMatchObject({ isError: true })
    await bench.call('read_file', { file_path: 'b.txt' })
    await bench.call('edit_file', { file_path: 'b.txt', old_string: 'one', new_string: '1' })
    expect(lines('b.txt')).toBe(null)
    expect(await write('b.txt', 'new')).toMatchObject({ isError: false })
  })

  it('a file with one extremely long line that was never shown completely is not replaced', async () => {
    put('a.min.js', 'x'.repeat(60_000))
    await bench.call('read_file', { file_path: 'a.min.js' })
    expect(await write('a.min.js', 'new')).toEqual({
      output:
        'You have not seen all of a.min.js, and the rest would be lost. Read it first (lines over 50000 characters are not shown completely), ' +
        'edit a part of it, or delete it first.',
      isError: true,
      details: null,
    })
  })

  it('an unread binary file is not replaced, and the message says what to do', async () => {
    put('a.bin', Buffer.from([1, 0, 2]))
    expect(await write('a.bin', 'new')).toEqual({
      output: 'a.bin is a binary file that you have not read, so it is not replaced with text. To replace it, delete it first.',
      isError: true,
      details: null,
    })
  })

  it('the same content is not written again, and needs no signature', async () => {
    await write('a.txt', 'one')
    const prepared = await bench.prepare('write_file', { file_path: 'a.txt', content: 'one' })
    expect(effectsOf(prepared)).toEqual([])
    expect(await bench.commit(prepared)).toMatchObject({
      isError: false,
      output: 'a.txt already has exactly this content. Nothing was written.',
    })
  })

  it.each([
    ['CR LF in old and new lines', 'a\r\nb\r\n', 'a\nc\nd\n', 'a\r\nc\r\nd\r\n'],
    ['mixed endings of unchanged lines', 'a\r\nb\nc\r\n', 'a\nb\nC\n', 'a\r\nb\nC\r\n'],
    ['a byte order mark', '\ufeffa\n', 'b\n', '\ufeffb\n'],
    ['a single byte order mark if the content has one too', '\ufeffa\n', '\ufeffb\n', '\ufeffb\n'],
    ['CR LF in the content itself', 'a\n', 'b\r\nc\n', 'b\r\nc\n'],
    ['the final newline only if the content has one', 'a\n', 'a', 'a'],
  ])('rule 8: keeps %s', async (_, before, content, after) => {
    put('a.txt', before)
    await bench.call('read_file', { file_path: 'a.txt' })
    await write('a.txt', content)
    expect(readBack('a.txt')).toBe(after)
  })

  it('rule 8: keeps the UTF-16 encoding', async () => {
    put('a.txt', Buffer.from('\ufeffone\r\n', 'utf16le'))
    await bench.call('read_file', { file_path: 'a.txt' })
    await write('a.txt', 'zwölf\n')
    expect(readFileSync(at('a.txt'))).toEqual(Buffer.from('\ufeffzwölf\r\n', 'utf16le'))
  })

  it('a file whose old encoding cannot represent the new content becomes UTF-8, and the result reports the new encoding', async () => {
    put('a.txt', Buffer.from('caf\xe9\n', 'latin1'))
    await bench.call('read_file', { file_path: 'a.txt' })
    expect((await write('a.txt', '茶\n')).output).toBe(
      'Wrote 4 bytes to a.txt. Its old encoding cannot represent the new content, so it is UTF-8 now.',
    )
    expect(readBack('a.txt')).toBe('茶\n')
  })

  it('rule 8: unchanged lines of a file in a legacy encoding keep their bytes', async () => {
    const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3])
    const late = Buffer.from('caf\xe9', 'latin1')
    const file = (...lines: readonly (string | Buffer)[]): Buffer =>
      Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\r\n')]))
    put('a.txt', file('one', gbk, 'two', late))
    const [, shown, , last] = textOf((await bench.call('read_file', { file_path: 'a.txt' })).output)
      .split('\n')
      .map((line) => line.slice(7))
    expect(await write('a.txt', `new\n${last}\n${shown}\n2\n`)).toMatchObject({ isError: false, output: 'Wrote 20 bytes to a.txt.' })
    expect(readFileSync(at('a.txt'))).toEqual(file('new', late, gbk, '2'))
  })

  it('keeps the mode', async () => {
    put('run.sh', '#!/bin/sh\n')
    chmodSync(at('run.sh'), 0o755)
    await bench.call('read_file', { file_path: 'run.sh' })
    await write('run.sh', '#!/bin/sh\necho\n')
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755)
  })

  it.each([
    ['a NUL', 'a\0b', 'content contains a NUL character, which no text file may contain. Nothing was written.'],
    [
      'a lone surrogate',
      'a\ud83d',
      'content contains half a character (a lone surrogate), which no file can store. Send the complete character. Nothing was written.',
    ],
  ])('fault 13: %s is refused', async (_, content, message) => {
    expect(await write('a.txt', content)).toEqual({ output: message, isError: true, details: null })
    expect(existsSync(at('a.txt'))).toBe(false)
  })

  it('D-52: content with a placeholder for omitted text is refused, unless the file had it before', async () => {
    put('a.js', 'one()\n// ... rest of the code\n')
    await bench.call('read_file', { file_path: 'a.js' })
    expect(await write('a.js', 'two()\n// ... existing code ...\n')).toEqual({
      output:
        'The content omits code: "// ... existing code ...". The whole file is replaced, so send all of it, or edit a part of it instead.',
      isError: true,
      details: null,
    })
    expect(await write('a.js', 'two()\n// ... rest of the code\n')).toMatchObject({ isError: false })
  })
})

describe('where writing is refused', () => {
  it('fault 15: writing through a link inside the folder changes the target and keeps the link', async () => {
    put('target.txt', 'one')
    symlinkSync('target.txt', at('link'))
    await bench.call('read_file', { file_path: 'link' })
    expect(effectsOf(await bench.prepare('write_file', { file_path: 'link', content: 'two' }))).toMatchObject([
      { path: at('target.txt'), outside: false },
    ])
    await write('link', 'two')
    expect([readBack('target.txt'), lstatSync(at('link')).isSymbolicLink()]).toEqual(['two', true])
  })

  it('fault 15: a link that leads outside, dangling or not, is an outside effect, and a circular link is an error', async () => {
    const other = createWorkbench()
    try {
      symlinkSync(join(other.root, 'missing/x'), at('dangling'))
      symlinkSync(other.root, at('folder'))
      symlinkSync('loop', at('loop'))
      const prepared = [
        await bench.prepare('write_file', { file_path: 'dangling', content: 'x' }),
        await bench.prepare('write_file', { file_path: 'folder/new', content: 'x' }),
      ]
      expect(prepared.flatMap(effectsOf)).toMatchObject([
        { path: join(other.root, 'missing/x'), shown: join(other.root, 'missing/x'), outside: true },
        { path: join(other.root, 'new'), outside: true },
      ])
      expect(await write('loop', 'x')).toMatchObject({ isError: true, output: expect.stringContaining('ELOOP') })
    } finally {
      await other.dispose()
    }
  })

  it.each([
    ['folder/.', 'folder/. names a folder. Name the file.'],
    ['folder/', 'folder/ names a folder. Name the file.'],
    ['folder', 'folder is a folder. Name the file.'],
    ['fresh/.', 'fresh/. names a folder. Name the file.'],
    ['fresh/..', 'fresh/.. names a folder. Name the file.'],
    ['.', '. names a folder. Name the file.'],
    ['..', '.. names a folder. Name the file.'],
    ['file/.', 'file/. names a folder. Name the file.'],
  ])(
    'fault 18: %j is not a file name: write_file, edit_file, delete_file and apply_patch report this, and nothing is created',
    async (path, words) => {
      mkdirSync(at('folder'))
      put('file', 'x')
      const patch = `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`
      const outputs = await Promise.all([
        write(path, 'x'),
        bench.call('edit_file', { file_path: path, old_string: 'x', new_string: 'y' }),
        bench.call('delete_file', { file_path: path }),
        bench.call('apply_patch', { patch }),
      ])
      expect(outputs.map(({ output }) => output)).toEqual([words, words, words, `${words} Nothing was changed.`])
      expect([readdirSync(bench.root), readdirSync(at('folder')), readBack('file')]).toEqual([['file', 'folder'], [], 'x'])
    },
  )

  it('fault 18: an empty path is refused as empty', async () => {
    expect(refusalOf(bench.tool('write_file').validate({ file_path: '', content: 'x' }))).toBe(
      'file_path must not be empty. It takes file_path, content.',
    )
  })

  it('fault 18: a folder, a pipe, a trailing slash or a path under a file is an error, and nothing is created', async () => {
    mkdirSync(at('folder'))
    put('file', 'x')
    expect(await write('folder', 'x')).toMatchObject({ isError: true, output: expect.stringContaining('is a folder') })
    execFileSync('mkfifo', [at('pipe')])
    expect(await write('pipe', 'x')).toMatchObject({ isError: true, output: expect.stringContaining('is a named pipe') })
    expect(await write('file/below', 'x')).toMatchObject({ isError: true })
    expect((await write('fresh/', 'x')).output).toBe('fresh/ names a folder. Name the file.')
    expect(readdirSync(bench.root).toSorted()).toEqual(['file', 'folder', 'pipe'])
  })

  it('fault 14: a read-only file or folder is reported with the system’s reason, and nothing changes', () => {
    mkdirSync(at('closed'))
    put('closed/a.txt', 'old')
    const script = `
      const { chmodSync, readdirSync, readFileSync, writeFileSync } = await import('node:fs')
      chmodSync(bench.root + '/closed', 0o555)
      const created = await bench.call('write_file', { file_path: 'closed/new.txt', content: 'x' })
      await bench.call('read_file', { file_path: 'closed/a.txt' })
      const replaced = await bench.call('write_file', { file_path: 'closed/a.txt', content: 'x' })
      return { created, replaced, names: readdirSync(bench.root + '/closed'), content: readFileSync(bench.root + '/closed/a.txt', 'utf8') }`
    chmodSync(at('closed/a.txt'), 0o444)
    const result = asNobody([bench.root, at('closed')], bench.root, script)
    // Without this, an ordinary user could not remove the folder.
    chmodSync(at('closed'), 0o755)
    expect(result).toMatchObject({
      created: { isError: true, output: expect.stringMatching(/^closed\/new\.txt was not written: .*permission denied/u) },
      replaced: { isError: true, output: expect.stringMatching(/^closed\/a\.txt was not written: .*permission denied/u) },
      names: ['a.txt'],
      content: 'old',
    })
  })
})
