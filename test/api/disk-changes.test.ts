import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hashOf } from '../../main/agent/blob-hash.ts'
import type { DiskChange } from '../../shared/api/changes/changes.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { openDesk, staying } from './support/served-desk.ts'

const hash = (text: string) => hashOf(Buffer.from(text))

/**
 * Opens a session and its comparison with the disk. `left`: the contents with which the session left its files (null: no file). `answers`
 * returns an iterator over the results of the comparison.
 */
async function compared(left: Readonly<Record<string, string | null>>) {
  const desk = await openDesk()
  const sessionId = await desk.session()
  const at = (path: string): string => join(desk.folder, path)
  const files = Object.entries(left).map(([path, text]) => ({ path: at(path), after: text === null ? null : hash(text) }))
  const answers = () => desk.client.changes.onDisk({ sessionId, files }, staying())[Symbol.asyncIterator]()
  const shown = (changed: readonly DiskChange[] | undefined) => changed?.map(({ path, now }) => [path.slice(desk.folder.length + 1), now])
  return { desk, sessionId, at, answers, shown }
}

it('lists files that differ on disk, were deleted, or exist again', async () => {
  const { at, answers, shown } = await compared({ 'same.txt': 'one', 'edited.txt': 'one', 'deleted.txt': 'one', 'new.txt': null })
  writeFileSync(at('same.txt'), 'one')
  writeFileSync(at('edited.txt'), 'two')
  writeFileSync(at('new.txt'), 'new')
  const { value } = await answers().next()
  expect(shown(value?.changed)).toEqual([
    ['edited.txt', hash('two')],
    ['deleted.txt', null],
    ['new.txt', hash('new')],
  ])
})

it('compares again after a file is written or replaced', async () => {
  const { at, answers, shown } = await compared({ 'src/a.txt': 'one' })
  mkdirSync(at('src'))
  writeFileSync(at('src/a.txt'), 'one')
  const changes = answers()
  expect((await changes.next()).value?.changed).toEqual([])
  writeFileSync(at('src/a.txt'), 'two')
  expect(shown((await changes.next()).value?.changed)).toEqual([['src/a.txt', hash('two')]])
  writeFileSync(at('other.txt'), 'one')
  renameSync(at('other.txt'), at('src/a.txt'))
  expect((await changes.next()).value?.changed).toEqual([])
})

it('finds a second write that leaves the file’s size and time the same, because it came within one tick of the clock', async () => {
  const { at, answers, shown } = await compared({ 'a.txt': 'one' })
  // Like the current time, this time does not become old while the test runs.
  const time = new Date(Date.now() + 3_600_000)
  const write = (text: string): void => {
    writeFileSync(at('a.txt'), text)
    utimesSync(at('a.txt'), time, time)
  }
  write('one')
  const changes = answers()
  expect((await changes.next()).value?.changed).toEqual([])
  write('two')
  expect(shown((await changes.next()).value?.changed)).toEqual([['a.txt', hash('two')]])
})

it('reads nothing outside the folder or in an untrusted folder', async () => {
  const { desk, sessionId, at, answers } = await compared({ '../secret.txt': 'one', 'link.txt': 'one' })
  writeFileSync(at('../secret.txt'), 'secret')
  symlinkSync(at('../secret.txt'), at('link.txt'))
  expect((await answers().next()).value?.changed).toEqual([])
  for (const path of [at('../secret.txt'), at('link.txt')])
    expect(await desk.client.changes.textNow({ sessionId, path })).toMatchObject({ ok: false, trouble: { code: 'file_not_read' } })
  const other = { sessionId: 's_nobody' as SessionId, path: at('a.txt') }
  expect(await desk.client.changes.textNow(other)).toMatchObject({ ok: false, trouble: { what: expect.stringContaining('not trusted') } })
})

it('reads the current text of a file, or null if the file was deleted', async () => {
  const { desk, sessionId, at } = await compared({})
  writeFileSync(at('a.txt'), 'one')
  const now = () => desk.client.changes.textNow({ sessionId, path: at('a.txt') })
  expect(await now()).toEqual({ ok: true, text: { kind: 'text', text: 'one' } })
  rmSync(at('a.txt'))
  expect(await now()).toEqual({ ok: true, text: null })
})
