import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { createHistorySearch } from '../../main/history/history-search.ts'
import { dataFolder } from '../../main/store/data-folder.ts'
import { NO_FILTERS } from '../../shared/api/history.ts'
import { tempFolder } from './support/temp-folder.ts'

const opened = async (folder: string) => {
  const made = await createApp({
    host: headlessHost(),
    version: '0.0.0',
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    dataFolder: folder,
  })
  if (made.ok) onTestFinished(() => made.value.close())
  return made
}

/** A data folder that was used before. */
async function used(): Promise<string> {
  const folder = join(tempFolder(), 'data')
  const app = await opened(folder)
  if (!app.ok) throw new Error(app.failure.what)
  await app.value.close()
  return folder
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('of mode 0777 and its files of mode 0644 are made private, which is said once', async () => {
    const folder = await used()
    const file = join(folder, 'countersign.db')
    writeFileSync(join(folder, 'settings.json'), '{}')
    for (const path of [file, join(folder, 'settings.json')]) chmodSync(path, 0o644)
    chmodSync(folder, 0o777)
    const app = await opened(folder)
    expect([modeOf(folder), modeOf(file), modeOf(join(folder, 'settings.json'))]).toEqual(['700', '600', '600'])
    const trouble = expect.objectContaining({ code: 'data_was_shared', what: expect.stringContaining(folder) })
    expect(app).toMatchObject({ ok: true, value: { troubles: [trouble] } })
    expect(await opened(folder)).toMatchObject({ ok: true, value: { troubles: [] } })
  })

  it('is made private without a word if it was never used', async () => {
    const folder = join(tempFolder(), 'data')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    expect(await opened(folder)).toMatchObject({ ok: true, value: { troubles: [] } })
    expect(modeOf(folder)).toBe('700')
  })

  it('has only private files, also the index of the search and journals', async () => {
    const before = process.umask(0o022)
    onTestFinished(() => void process.umask(before))
    const folder = await used()
    const app = await opened(folder)
    if (!app.ok) throw new Error(app.failure.what)
    const search = createHistorySearch(folder)
    await search.search({ ...NO_FILTERS, words: 'x', order: 'newest', perSession: null })
    expect(readdirSync(folder)).toContain('search.db')
    const open = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const mode = modeOf(join(entry.parentPath, entry.name))
      return mode === (entry.isDirectory() ? '700' : '600') ? [] : [`${entry.name} ${mode}`]
    })
    await search.close()
    expect(open).toEqual([])
  })

  it.each([
    ['a symbolic link', symlinkSync],
    ['another name of another file', linkSync],
  ])('is refused if its database is %s, and nothing changes', async (_, link) => {
    const folder = await used()
    const other = await used()
    const file = join(folder, 'countersign.db')
    const target = join(other, 'countersign.db')
    const bytes = readFileSync(target)
    rmSync(file)
    link(target, file)
    for (const refused of [dataFolder({ data: folder }), await opened(folder)])
      expect(refused).toMatchObject({ ok: false, failure: { code: 'data_linked', what: expect.stringContaining(file) } })
    expect(readFileSync(target).equals(bytes)).toBe(true)
  })

  it.runIf(process.getuid?.() === 0)('is refused if it belongs to another user, and nothing changes', async () => {
    const folder = await used()
    chownSync(folder, 65_534, 65_534)
    chmodSync(folder, 0o777)
    for (const refused of [dataFolder({ data: folder }), await opened(folder)])
      expect(refused).toMatchObject({
        ok: false,
        failure: { code: 'data_of_another_user', what: expect.stringContaining(folder), todo: expect.stringContaining('--data DIR') },
      })
    expect(modeOf(folder)).toBe('777')
  })

  it('is refused if it is a folder for everybody that contains other files, such as /tmp', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'theirs'), '')
    chmodSync(folder, 0o1777)
    expect(dataFolder({ data: folder })).toMatchObject({
      ok: false,
      failure: { code: 'data_shared', todo: expect.stringContaining('chmod') },
    })
    expect(modeOf(folder)).toBe('1777')
  })
})
