import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from './support/child.ts'
import { containing } from './support/matching.ts'
import { asOtherUser } from './support/other-user.ts'
import { input, opened, session } from './support/stores.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ID = session('s')
const other = asOtherUser()

/** Creates a folder that another user may enter, with a session of two events in it. */
async function filled(): Promise<string> {
  const folder = temporaryFolder('permissions')
  const store = await opened(folder)
  store.log(ID).append(input('one'), input('two'))
  store.close()
  return folder
}

const modes = (folder: string, mode: { folder: number; file: number }): void => {
  chmodSync(join(folder, 'countersign.db'), mode.file)
  chmodSync(folder, mode.folder)
}

const openAsOther = (folder: string): Promise<unknown> => startChild('opener', [folder, ID], other ?? []).next()

describe.skipIf(!other)('a user without permission (needs Linux and root)', () => {
  it('to write the file: can read the history but add nothing, and gets the reason', async () => {
    const folder = await filled()
    modes(folder, { folder: 0o777, file: 0o444 })
    const before = readFileSync(join(folder, 'countersign.db'))
    expect(await openAsOther(folder)).toEqual({ kind: 'opened', trouble: 'storage_read_only', events: 2, append: 'storage_read_only' })
    expect(readFileSync(join(folder, 'countersign.db')).equals(before)).toBe(true)
  })

  it('to write anything in the folder: gets an error with its path and what to do, and nothing changes', async () => {
    const folder = await filled()
    const before = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
    modes(folder, { folder: 0o555, file: 0o444 })
    expect(await openAsOther(folder)).toMatchObject({ kind: 'failed', what: containing(folder), todo: containing('--data DIR') })
    expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(before)
  })

  it('to read the file: gets an error with its path', async () => {
    const folder = await filled()
    modes(folder, { folder: 0o777, file: 0o600 })
    expect(await openAsOther(folder)).toMatchObject({ kind: 'failed', code: 'storage_unreadable', what: containing('countersign.db') })
  })

  it('to enter the folder: gets an error with its path', async () => {
    const folder = await filled()
    modes(folder, { folder: 0o700, file: 0o600 })
    expect(await openAsOther(folder)).toMatchObject({ kind: 'failed', code: 'storage_unreadable', what: containing(folder) })
  })

  it('to create the folder: gets an error with its path, and nothing is created', async () => {
    const folder = await filled()
    modes(folder, { folder: 0o755, file: 0o600 })
    const inside = join(folder, 'made', 'data')
    expect(await openAsOther(inside)).toMatchObject({ kind: 'failed', code: 'storage_unreadable', what: containing(inside) })
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })

  it('to write the parent folder: can use a data folder of their own', async () => {
    const folder = await filled()
    const own = join(folder, 'own')
    mkdirSync(own)
    chownSync(own, 65_534, 65_534)
    chmodSync(folder, 0o755)
    expect(await openAsOther(own)).toEqual({ kind: 'opened', trouble: null, events: 0, append: 'stored' })
  })
})

describe.skipIf(process.platform === 'win32')('our own files', () => {
  it('locks, database, copies and blobs can be read only by the user, even under umask 022', async () => {
    const before = process.umask(0o022)
    onTestFinished(() => void process.umask(before))
    const folder = temporaryFolder('modes')
    const store = await opened(folder)
    store.log(ID).append(input('one'))
    store.blobs.put(Buffer.alloc(300_000, 'x'))
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const open = files.flatMap((entry) => {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
      return mode === (entry.isDirectory() ? 0o700 : 0o600) ? [] : [`${entry.name} ${mode.toString(8)}`]
    })
    store.close()
    expect(files.some(({ name }) => name.endsWith('.lock'))).toBe(true)
    expect(open).toEqual([])
  })
})
