import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { finished } from '../../shared/lib/passes.ts'
import { numberedLines } from '../../main/environment/files/text-for-display.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { asNobody, failureOf, plant, tempFolder } from './support.ts'

const numbered = (text: string, offset?: number, limit?: number): string =>
  finished(numberedLines(Buffer.from(text), 'a.txt', offset, limit))

it('T-11: lines are numbered correctly with CRLF, with or without a final newline, with blank lines and in an empty file', () => {
  expect(numbered('a\r\nb\r\n')).toBe('     1\ta\n     2\tb')
  expect(numbered('a\n\n')).toBe('     1\ta\n     2\t')
  expect(numbered('\n')).toBe('     1\t')
  expect(numbered('')).toBe('')
})

it('T-01: every line is read completely and in order, for any offset and limit', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text))
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.nat(), fc.nat(), (lines, offset, limit) => {
      const from = offset % lines.length
      const shown = numbered(`${lines.join('\n')}\n`, from, limit + 1).split('\n')
      expect(shown.map((text) => text.slice(text.indexOf('\t') + 1))).toEqual(lines.slice(from, from + limit + 1))
    }),
  )
})

it.each([
  ['UTF-8', 'a', 'utf8'],
  ['UTF-8', 'abc', 'utf8'],
  ['UTF-16', '\ufeffa', 'utf16le'],
  ['Windows-1252', 'a', 'latin1'],
] as const)('a text of several MB in %s that begins with "%s" is decoded in passes, and no line is torn', (_, start, encoding) => {
  const line = 'é\r\n'
  const bytes = Buffer.from(start + line.repeat(1_500_000), encoding)
  const passes = numberedLines(bytes, 'a.txt', 1_499_998)
  let count = 0
  let pass = passes.next()
  for (; pass.done !== true; pass = passes.next()) count++
  expect(pass.value).toBe('1499999\té\n1500000\té')
  expect(count).toBeGreaterThanOrEqual(Math.floor(bytes.length / 1024 ** 2))
  expect(() => finished(numberedLines(bytes, 'a.txt', 1_500_000))).toThrow('the file has 1500000 lines')
})

it('fault 5: an offset beyond the file fails with EINVAL, and the message gives the valid range', async () => {
  const folder = tempFolder()
  plant(folder, { 'three.txt': 'a\nb\nc\n', 'empty.txt': '' })
  const env = createLocalExecutionEnvironment(folder)
  for (const offset of [3, 100, -1, Number.NaN, 1.5]) {
    const failure = await failureOf(env.readFile('three.txt', offset))
    expect(failure).toEqual({ code: 'EINVAL', message: `There is no line at offset ${offset}; the file has 3 lines: 0 to 2.` })
  }
  expect(await failureOf(env.readFile('empty.txt', 1))).toEqual({
    code: 'EINVAL',
    message: 'There is no line at offset 1; the file is empty.',
  })
  expect(await env.readFile('empty.txt')).toBe('')
  expect(await failureOf(env.readFile('three.txt', 0, -2))).toMatchObject({ code: 'EINVAL' })
})

// The test is repeated because a busy machine may let a process wait for a second.
it('fault 2: a folder, a pipe, a device, a socket and a kernel file are refused within a second', { retry: 2 }, async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'folder'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const server = createServer().listen(join(folder, 'socket'))
  onTestFinished(() => void server.close())
  const env = createLocalExecutionEnvironment(folder)
  const limit = { signal: AbortSignal.timeout(1_000) }
  const failures = ['folder', 'pipe', '/dev/zero', 'socket', '/proc/self/environ', '/proc/kmsg'].map((path) =>
    failureOf(env.readBytes(path, limit)),
  )
  expect(await Promise.all(failures)).toEqual([
    { code: 'EISDIR', message: expect.stringContaining('is a folder') },
    { code: 'EINVAL', message: expect.stringContaining('is a named pipe') },
    { code: 'EINVAL', message: expect.stringContaining('is a device') },
    { code: 'EINVAL', message: expect.stringContaining('is a socket') },
    { code: 'EINVAL', message: expect.stringContaining('file of the kernel') },
    // Only root may open this file, and reading it would never end.
    process.geteuid?.() === 0
      ? { code: 'EINVAL', message: expect.stringContaining('file of the kernel') }
      : { code: 'EACCES', message: expect.stringContaining('permission denied') },
  ])
})

it('fault 3: a 5 GB file fails with EFBIG without using memory', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'huge'), '')
  truncateSync(join(folder, 'huge'), 5 * 1024 ** 3)
  const before = process.memoryUsage().rss
  const env = createLocalExecutionEnvironment(folder)
  expect(await failureOf(env.readBytes('huge'))).toMatchObject({ code: 'EFBIG' })
  expect(await failureOf(env.readFile('huge', 0, 10))).toMatchObject({ code: 'EFBIG' })
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2)
})

it('fault 4: UTF-16 and Windows-1252 are shown as text, but a binary file is not', async () => {
  const folder = tempFolder()
  plant(folder, {
    'a.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 1),
    'utf16.txt': Buffer.from('\ufeffgrün\n', 'utf16le'),
    'bom.txt': '\ufeffgrün\n',
    'cp1252.txt': Buffer.from('gr\u00fcn\n', 'latin1'),
  })
  const env = createLocalExecutionEnvironment(folder)
  expect(await failureOf(env.readFile('a.png'))).toEqual({ code: 'EINVAL', message: expect.stringContaining('binary file') })
  const texts = await Promise.all(['utf16.txt', 'bom.txt', 'cp1252.txt'].map((path) => env.readFile(path)))
  expect(texts).toEqual(['     1\tgrün', '     1\tgrün', '     1\tgrün'])
})

it('fault 18: unusual paths are taken literally or refused with a message', async () => {
  const folder = tempFolder()
  const env = createLocalExecutionEnvironment(folder)
  for (const path of ['~', '~/a', 'trailing ', 'dot.', 'emoji 🦊.txt', 'nfd e\u0301.txt', 'new\nline', 'CON']) {
    await env.writeFile(path === '~' ? '~x' : path, path)
  }
  expect((await env.listDirectory('.')).map(({ name }) => name)).toEqual(
    ['CON', 'dot.', 'emoji 🦊.txt', 'new\nline', 'nfd e\u0301.txt', 'trailing ', '~', '~x'].toSorted(),
  )
  expect(await failureOf(env.readBytes('a\0b'))).toMatchObject({ code: 'EINVAL', message: expect.stringContaining('NUL') })
  expect(await failureOf(env.readBytes('x'.repeat(5_000)))).toMatchObject({ code: 'ENAMETOOLONG' })
  expect(await failureOf(env.readBytes('a/../../nowhere-at-all'))).toMatchObject({ code: 'ENOENT' })
})

it('C10: a file is not read if a folder in its path was replaced by a link after the check', async () => {
  const folder = tempFolder()
  plant(folder, { 'sub/a': 'mine', 'other/a': 'not checked' })
  const env = createLocalExecutionEnvironment(folder)
  const path = join(folder, 'sub', 'a')
  expect(Buffer.from(await env.readBytes(path, { real: true })).toString()).toBe('mine')
  renameSync(join(folder, 'sub'), join(folder, 'aside'))
  symlinkSync('other', join(folder, 'sub'))
  expect((await failureOf(env.readBytes(path, { real: true }))).code).toBe('ECHANGED')
  expect(Buffer.from(await env.readBytes(path)).toString()).toBe('not checked')
})

it('fault 15: circular links fail with ELOOP', async () => {
  const folder = tempFolder()
  symlinkSync('b', join(folder, 'a'))
  symlinkSync('a', join(folder, 'b'))
  const env = createLocalExecutionEnvironment(folder)
  const codes = await Promise.all([env.readBytes('a'), env.writeFile('a', 'x'), env.realpath('a/b')].map(failureOf))
  expect(codes.map(({ code }) => code)).toEqual(['ELOOP', 'ELOOP', 'ELOOP'])
})

it('reading an unreadable file or folder fails with EACCES, but a listing of its parent folder still shows its name', () => {
  const folder = tempFolder()
  plant(folder, { 'secret.txt': 'x', 'closed/a.txt': 'x', 'open/b.txt': 'y' })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'secret.txt'), 0)
  chmodSync(join(folder, 'closed'), 0)
  onTestFinished(() => chmodSync(join(folder, 'closed'), 0o700))
  const result = asNobody(
    folder,
    `return [
      await failureOf(env.readFile('secret.txt')),
      (await failureOf(env.listDirectory('closed'))).code,
      (await env.listDirectory('.', 2)).map(({ name }) => name),
    ]`,
  )
  expect(result).toEqual([
    { code: 'EACCES', message: 'Could not read secret.txt: permission denied (EACCES).' },
    'EACCES',
    ['closed', 'open', 'open/b.txt', 'secret.txt'],
  ])
})

it('P2-53, fault 22: an environment in a missing or unreadable folder, or in a file, is refused at the start', async () => {
  const folder = tempFolder()
  plant(folder, { file: 'x', 'closed/a': 'x' })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'closed'), 0)
  onTestFinished(() => chmodSync(join(folder, 'closed'), 0o700))
  const open = (name: string) => failureOf(createLocalExecutionEnvironment(join(folder, name)).initialize())
  expect(await open('gone')).toMatchObject({ code: 'ENOENT', message: expect.stringContaining('gone') })
  expect(await open('file')).toMatchObject({ code: 'ENOTDIR' })
  expect(asNobody(join(folder, 'closed'), 'return failureOf(env.initialize())')).toMatchObject({ code: 'EACCES' })
})

it('P2-42: links in a listing show their targets and are never followed', async () => {
  const folder = tempFolder()
  plant(folder, { 'real/a.txt': '12345' })
  symlinkSync('.', join(folder, 'circle'))
  symlinkSync('real/a.txt', join(folder, 'file-link'))
  symlinkSync('gone', join(folder, 'broken'))
  const listed = await createLocalExecutionEnvironment(folder).listDirectory('.', 9)
  expect(listed).toEqual([
    { name: 'broken', isDir: false, size: 4 },
    { name: 'circle', isDir: true, size: null },
    { name: 'file-link', isDir: false, size: 5 },
    { name: 'real', isDir: true, size: null },
    { name: 'real/a.txt', isDir: false, size: 5 },
  ])
})
