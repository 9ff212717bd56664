import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
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
