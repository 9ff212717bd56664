import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openDesk, until } from './support/served-desk.ts'

const put = (folder: string, path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

it('lists a folder with folders first and without .git, and reads a file with its path', async () => {
  const { client, folder, session } = await openDesk()
  const sessionId = await session()
  put(folder, 'b.txt', 'two\n')
  put(folder, 'src/a.ts', 'one\n')
  put(folder, '.git/HEAD', '')
  const entries = [
    { name: 'src', isFolder: true },
    { name: 'b.txt', isFolder: false },
  ]
  expect(await client.files.folder({ sessionId, path: '' })).toEqual({ ok: true, entries, leftOut: 0 })
  const file = { path: join(folder, 'src/a.ts'), shown: 'src/a.ts', content: { kind: 'text', text: 'one\n' }, pdf: null }
  expect(await client.files.read({ sessionId, path: 'src/a.ts' })).toEqual({ ok: true, file })
  expect(await client.files.read({ sessionId, path: file.path })).toEqual({ ok: true, file })
  expect(await client.files.find({ sessionId, typed: 'a.t' })).toEqual({ paths: ['src/a.ts'] })
})

it('nothing outside the folder is listed or read, by no path and no link, and nothing in a folder that is not trusted', async () => {
  const { client, folder, session } = await openDesk()
  const sessionId = await session()
  const outside = join(dirname(folder), 'outside')
  put(outside, 'secret.txt', 'mine')
  symlinkSync(outside, join(folder, 'way-out'))
  const refused = { ok: false, trouble: { code: 'file_not_read' } }
  for (const path of ['..', '../outside', outside, 'way-out']) expect(await client.files.folder({ sessionId, path })).toMatchObject(refused)
  for (const path of ['../outside/secret.txt', join(outside, 'secret.txt'), 'way-out/secret.txt', 'missing.txt', 'way-out'])
    expect(await client.files.read({ sessionId, path })).toMatchObject(refused)
  await client.workspace.trust({ folder, trusted: false })
  expect(await client.files.folder({ sessionId, path: '' })).toMatchObject({ ok: false, trouble: { code: 'not_trusted' } })
  expect(await client.files.find({ sessionId, typed: 'secret' })).toEqual({ paths: [] })
})

it('a change in an open folder is reported', async () => {
  const { client, folder, session } = await openDesk()
  const sessionId = await session()
  put(folder, 'src/a.ts', 'one\n')
  const abort = new AbortController()
  let count = 0
  await until(client.files.changes({ sessionId, folders: ['', 'src'] }, abort.signal), () => {
    if (++count === 1) put(folder, 'src/b.ts', 'two\n')
    return count === 2
  })
  expect(count).toBe(2)
})

it('a saved text keeps the encoding and the byte order mark of its file, and is refused if the file has changed meanwhile', async () => {
  const { client, folder, session } = await openDesk()
  const sessionId = await session()
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  put(folder, 'a.txt', utf16('eins\n'))
  const saved = await client.files.write({ sessionId, path: 'a.txt', expected: 'eins\n', text: 'zwei\n' })
  expect(saved).toEqual({ ok: true })
  expect(readFileSync(join(folder, 'a.txt'))).toEqual(utf16('zwei\n'))
  const late = await client.files.write({ sessionId, path: 'a.txt', expected: 'eins\n', text: 'drei\n' })
  expect(late).toMatchObject({ ok: false, trouble: { code: 'file_not_written' } })
  expect(readFileSync(join(folder, 'a.txt'))).toEqual(utf16('zwei\n'))
  symlinkSync(dirname(folder), join(folder, 'out'))
  expect(await client.files.write({ sessionId, path: 'out/b.txt', expected: '', text: 'mine' })).toMatchObject({ ok: false })
})
