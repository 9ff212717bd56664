import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLayerBin, removeHalfBinned } from '../../main/store/layers/layer-bin.ts'
import { layersCommand } from '../../main/headless/commands/layers-command.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { plant } from '../environment/support.ts'
import { removeFolder } from '../support/remove-folder.ts'
import type { Family } from '../subagents/support/family.ts'
import { beside, once } from './support/beside.ts'

const WORK = "sed -i '2s/.*/layer/' a.txt && rm b.txt && mkdir new && echo c > new/c.sh && chmod +x new/c.sh"

async function deleted({ app, parent }: Family): Promise<unknown> {
  const { sessionId } = parent
  const weight = await app.cleaner.weigh([sessionId])
  return weight.ok ? app.cleaner.delete([sessionId], weight.value) : weight
}

async function changesOf({ app, folder }: Family, sessionId: SessionId) {
  const opened = await app.workspaces.open(folder)
  if (!opened.ok || !opened.value.layers) throw new Error('There are no layers.')
  return opened.value.layers.changes(sessionId)
}

/** Runs a command about layers over this app, and returns what it writes. */
async function layers({ app }: Family, ...words: readonly string[]): Promise<string> {
  const command = layersCommand(words, { yes: words[0] === 'drop', json: words[0] === 'list' })
  if (!command.ok) throw new Error(command.failure)
  let written = ''
  await command.value({ dataFolder: '', write: (text) => void (written += text), withApp: (work) => work(app) })
  return written
}

describe.skipIf(hasNoCopies)('the layer of a deleted session', { timeout: 60_000 }, () => {
  it('leaves what was not brought in as plain files in a bin, which is listed and can be emptied', async () => {
    const family = await beside(once(WORK))
    await family.ask()
    const { sessionId } = family.parent
    expect(JSON.parse(await layers(family, 'list'))).toMatchObject({ layers: [{ sessionId, isSubagent: false }], bin: [] })
    expect(await deleted(family)).toMatchObject({ kind: 'deleted' })
    const [binned] = await family.app.layers.bin.list()
    if (!binned) throw new Error('Nothing is in the bin.')
    expect(binned).toMatchObject({ sessionId, folder: family.folder, removed: ['b.txt'] })
    expect(readFileSync(join(binned.files, 'a.txt'), 'utf8')).toContain('layer')
    expect([readFileSync(join(binned.files, 'new/c.sh'), 'utf8'), statSync(join(binned.files, 'new/c.sh')).mode & 0o111]).toEqual([
      'c\n',
      0o111,
    ])
    expect(JSON.parse(await layers(family, 'list'))).toMatchObject({ layers: [], bin: [{ sessionId }] })
    await layers(family, 'drop', sessionId)
    expect([await family.app.layers.bin.list(), existsSync(binned.files)]).toEqual([[], false])
  })

  it('is removed at launch if a killed process left only a part of it, unless another process may be making it', async () => {
    const family = await beside(once('true'))
    const data = join(family.folder, '..', 'data')
    plant(data, { 'layer-bin/half/files/a.txt': 'a', 'frozen-layers/left/a.txt': 'a' })
    const left = (): readonly string[] => ['layer-bin', 'frozen-layers'].flatMap((name) => readdirSync(join(data, name)))
    const other = await family.again()
    expect(left()).toEqual(['half', 'left'])
    await family.app.close()
    await other.app.close()
    await family.again()
    expect(left()).toEqual([])
  })

  it('is not removed by an id that is a path', async () => {
    const family = await beside(once(WORK))
    await family.app.layers.bin.drop('../../project' as SessionId)
    expect(existsSync(join(family.folder, 'a.txt'))).toBe(true)
  })

  it('of an earlier session leaves the bin when the bin gets larger than allowed', async () => {
    const family = await beside(once(WORK))
    await family.ask()
    let at = 0
    const { app, parent } = family
    const session = app.store.sessions.get(parent.sessionId)
    if (!session) throw new Error('There is no session.')
    const bin = createLayerBin({
      folder: join(family.folder, '../bin'),
      changesOf: () => changesOf(family, session.sessionId),
      blobs: app.store.blobs,
      limit: () => 100,
      now: () => ++at,
    })
    const earlier = { ...session, sessionId: SessionId.parse('earlier') }
    await bin.keep(earlier)
    const [first] = await bin.list()
    expect(first?.bytes).toBeGreaterThan(50)
    await bin.keep(session)
    expect(await bin.list()).toMatchObject([{ sessionId: session.sessionId }])
  })

  it('can be dropped before its session is deleted, and the session goes on in a new one', async () => {
    const family = await beside(once(WORK))
    await family.ask()
    const { sessionId } = family.parent
    await family.parent.close('suspend')
    await layers(family, 'drop', sessionId)
    expect(JSON.parse(await layers(family, 'list'))).toMatchObject({ layers: [] })
    expect(layersCommand(['drop', 'nonsense', 'more'], {})).toMatchObject({ ok: false })
    expect((await family.app.sessions.open(sessionId)).ok).toBe(true)
  })
})

it('incomplete layers that a killed process left in the bin are removed, and nothing else', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bin-')))
  onTestFinished(() => removeFolder(folder))
  plant(folder, { 'half/files/a.txt': 'a', 'whole/files/a.txt': 'a', 'whole/layer.json': '{}', 'damaged/layer.json': '{' })
  await removeHalfBinned(folder)
  expect(readdirSync(folder)).toEqual(['damaged', 'whole'])
})
