import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileInLayer } from '../../main/compose/session-places/file-in-layer.ts'
import { trustedPlaces } from '../../main/compose/session-places/session-place.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { beside, once, TEXT } from './support/beside.ts'

it.skipIf(hasNoCopies)(
  'the editor gets the version of a file that the session sees, and the folder’s file only if it is the same',
  async () => {
    const family = await beside(once('echo layer > a.txt; mkdir new; echo new > new/c.txt'))
    await family.ask()
    const { app, folder, parent } = family
    const find = fileInLayer(join(folder, '..', 'data'), app.store.sessions.layerOf, {
      openPlace: trustedPlaces({ ...app, isTrusted: () => true }),
    })
    const shown = (path: string): Promise<string | null> => find(parent.sessionId, join(folder, path))
    const own = await shown('a.txt')
    const made = await shown('new/c.txt')
    expect([own, made].map((path) => readFileSync(path ?? '', 'utf8'))).toEqual(['layer\n', 'new\n'])
    expect(statSync(own ?? '').mode & 0o222).toBe(0)
    expect([await shown('b.txt'), await shown('../elsewhere')]).toEqual([null, null])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(TEXT)
  },
  60_000,
)
