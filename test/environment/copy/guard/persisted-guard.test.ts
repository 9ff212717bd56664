import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSignedFiles } from '../../../../main/environment/copy/guard/control-file-contents.ts'
import { createGuardKeeper, readKeptGuard } from '../../../../main/environment/copy/guard/persisted-guard.ts'
import { tempFolder } from '../../support.ts'

it('if storing a guard fails, the next guard is still stored, with the files that are signed while it is being stored', async () => {
  const base = tempFolder()
  const [layers, layer] = [join(base, 'layers'), join(base, 'layers', 'layer')]
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
