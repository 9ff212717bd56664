import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSignedFiles } from '../../../../main/environment/copy/guard/control-file-contents.ts'
import { createGuardKeeper, readKeptGuard } from '../../../../main/environment/copy/guard/persisted-guard.ts'
import { makeLayer } from '../../../../main/environment/copy/overlay-layer.ts'
import { tempFolder } from '../../support.ts'
import { hasNoCopies, openCopies } from '../support.ts'

it('if storing a guard fails, the next guard is still stored, with the files that are signed while it is being stored', async () => {
  const base = tempFolder()
  const layers = join(base, 'layers')
  const layer = join(base, 'layers', 'layer')
  const signed = createSignedFiles()
  const keeper = createGuardKeeper(layers, signed)
  const facts = { entries: new Map(), closed: [], unreadable: new Set<string>(), folder: base, source: base, began: 1, owner: null }
  await expect(keeper.keep(layer, facts)).rejects.toThrow('ENOENT')
  mkdirSync(layer, { recursive: true })
  const keeping = keeper.keep(layer, facts)
  signed.add([{ path: join(base, '.env'), hash: 'a hash' }])
  const kept = await keeping
  kept.suspect(2)
  expect(await readKeptGuard(layer)).toMatchObject({ since: 2, signed: new Map([[join(base, '.env'), new Set(['a hash'])]]) })
  kept.close()
  await keeper.remove()
})

it.skipIf(hasNoCopies)('a confinement whose guard cannot read the folder leaves no layer', async () => {
  // The last folder is read long after a layer could have been made.
  const deep = 'd/'.repeat(100)
  const isControl = (path: string): boolean => {
    if (path === `${deep}a`) throw new Error('not readable')
    return false
  }
  const { copies, layers } = openCopies({ [`${deep}a`]: '1' }, { isControl })
  await expect(copies.confine()).rejects.toThrow('not readable')
  expect(existsSync(layers) ? readdirSync(layers) : []).toEqual([])
})

it('a layer that cannot be completed is removed', async () => {
  const layers = tempFolder()
  await expect(makeLayer(layers, { folder: '/x'.repeat(3_000), home: null, scratch: null })).rejects.toThrow('ENAMETOOLONG')
  expect(readdirSync(layers)).toEqual([])
})
