import { chmodSync, cpSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCloneLayers } from '../../../main/environment/layers/clone-layers.ts'
import { placesOf } from '../../../main/environment/layers/layer-places.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { memoryBlobs } from './support.ts'
import { tempFolder } from '../support.ts'

const SESSION = SessionId.parse('ses_1')

test('a clone in a data folder that was copied, as from a backup, still shows its changes', async () => {
  const base = realpathSync(tempFolder())
  const folder = join(base, 'project')
  mkdirSync(folder)
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), name)
  const layersIn = (layers: string) =>
    createCloneLayers({
      folder,
      layers,
      missing: () => Promise.resolve(null),
      put: memoryBlobs().put,
      get: () => Promise.reject(new Error('Nothing is read.')),
      openTree: () => {
        throw new Error('Nothing is opened.')
      },
    })
  const first = join(base, 'first')
  await layersIn(first).make(SESSION, AbortSignal.timeout(60_000))
  writeFileSync(join(placesOf(first, SESSION).tree, 'a'), 'own')
  const second = join(base, 'second')
  cpSync(first, second, { recursive: true })
  const { tree, made } = placesOf(second, SESSION)
  // A copy may write `made` last, so that the changed file is older than `made`.
  const changedAt = (path: string): bigint => statSync(path, { bigint: true }).ctimeNs
  while (changedAt(made) <= changedAt(join(tree, 'a'))) chmodSync(made, 0o600)
  for (const layers of [first, second]) expect((await layersIn(layers).changes(SESSION)).files.map(({ path }) => path)).toEqual(['a'])
})
