import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { appHandlers } from '../../main/api/app.ts'
import { fileInLayer, filesInLayer } from '../../main/compose/session-places/file-in-layer.ts'
import { trustedPlaces } from '../../main/compose/session-places/session-place.ts'
import { layerPlacesIn } from '../../main/host-process/here/folder-layers.ts'
import { placesOf } from '../../main/environment/layers/layer-places.ts'
import { realPathInFolders } from '../../main/environment/real-folders.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import type { Family } from '../subagents/support/family.ts'
import { say } from '../support/scripted-model.ts'
import { beside, once, run, TEXT } from './support/beside.ts'

const finder = ({ app, folder }: Family) =>
  fileInLayer(join(folder, '..', 'data'), app.store.sessions.layerOf, { openPlace: trustedPlaces({ ...app, isTrusted: () => true }) })

/** Shows a file of the folder. Rejects with the reason if that fails. */
const shownIn = (family: Family) => {
  const find = finder(family)
  return async (path: string): Promise<string | null> => {
    const found = await find(family.parent.sessionId, join(family.folder, path))
    if (!found.ok) throw new Error(found.failure.what)
    return found.value?.path ?? null
  }
}

it.skipIf(hasNoCopies)(
  'the editor gets the version of a file that the session sees, and the folder’s file only if it is the same',
  async () => {
    const family = await beside(once('echo layer > a.txt; mkdir new; echo new > new/c.txt'))
    await family.ask()
    const { folder } = family
    const shown = shownIn(family)
    const own = await shown('a.txt')
    const made = await shown('new/c.txt')
    expect([own, made].map((path) => readFileSync(path ?? '', 'utf8'))).toEqual(['layer\n', 'new\n'])
    expect(statSync(own ?? '').mode & 0o222).toBe(0)
    expect([await shown('b.txt'), await shown('../elsewhere')]).toEqual([null, null])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(TEXT)
  },
  60_000,
)

it.skipIf(hasNoCopies)(
  'names in an answer are links if they are files in the layer, whether or not the folder has them',
  async () => {
    const family = await beside(once('echo layer > made.txt; rm a.txt'))
    await family.ask()
    const { app, parent, folder } = family
    writeFileSync(join(folder, 'later.txt'), 'in the folder\n')
    const find = filesInLayer(app.store.sessions.layerOf, { openPlace: trustedPlaces({ ...app, isTrusted: () => true }) })
    const named = ['made.txt', join(folder, 'made.txt'), 'a.txt', 'none.txt', '/etc/passwd', '../made.txt']
    expect(await find(parent.sessionId, named)).toEqual(['made.txt', join(folder, 'made.txt')])
    expect(await filesInLayer(() => null, { openPlace: () => Promise.reject(new Error()) })(parent.sessionId, named)).toBeNull()
  },
  60_000,
)

it.skipIf(hasNoCopies)(
  'a version that cannot be read is refused with its reason, and the copy that the editor has open stays',
  async () => {
    const family = await beside(({ round }) =>
      round === 0
        ? run('echo layer > a.txt; echo x > x')
        : round === 2
          ? run('rm a.txt x; mkfifo a.txt; mkdir x; echo y > x/y')
          : say('Done.'),
    )
    await family.ask()
    const shown = shownIn(family)
    const own = await shown('a.txt')
    const file = await shown('x')
    expect(readFileSync(file ?? '', 'utf8')).toBe('x\n')
    await family.ask()
    await expect(shown('a.txt')).rejects.toThrow('a.txt is a named pipe')
    expect(readFileSync(own ?? '', 'utf8')).toBe('layer\n')
    expect(readFileSync((await shown('x/y')) ?? '', 'utf8')).toBe('y\n')
  },
  60_000,
)

it.skipIf(hasNoCopies)(
  'no file outside the clone of a session is shown, even through a link in the clone',
  async () => {
    const family = await beside(() => say('Done.'))
    const { app, folder, parent } = family
    const { tree } = placesOf(layerPlacesIn(join(folder, '..', 'data')).layers, parent.sessionId)
    // A layer that has this folder is a clone.
    mkdirSync(tree, { recursive: true })
    await family.ask()
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-outside-')))
    onTestFinished(() => rmSync(outside, { recursive: true }))
    writeFileSync(join(outside, 'id'), 'secret')
    mkdirSync(join(tree, 'own'))
    symlinkSync(outside, join(tree, 'docs'))
    writeFileSync(join(tree, 'own', 'id'), 'own')
    const host = {
      ...app.parts.host,
      reveal: async (path: string, folders: readonly string[]) => (await realPathInFolders(path, folders)) !== null,
    }
    const { reveal } = appHandlers({
      ...app.parts,
      host,
      store: app.store,
      unsaved: app.unsaved,
      leftovers: app.leftovers,
      openFolders: () => [folder],
      folderOf: () => folder,
      fileInLayer: finder(family),
      filesInLayer: () => Promise.resolve(null),
      editor: () => '',
    })
    const context = { signal: new AbortController().signal, connection: 'window' }
    expect(await reveal({ sessionId: parent.sessionId, path: 'own/id' }, context)).toEqual({ ok: true })
    expect(await reveal({ sessionId: parent.sessionId, path: 'docs/id' }, context)).toMatchObject({ trouble: { code: 'not_in_folder' } })
  },
  60_000,
)
