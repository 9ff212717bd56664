import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { SessionId } from '../../../shared/lib/ids.ts'
import { ownerName } from '../../../main/environment/copy/overlay-layer.ts'
import { removeLeftFrozen, removeLeftLayers } from '../../../main/environment/layers/left-layers.ts'
import { removeFolder } from '../../support/remove-folder.ts'

it.each([
  ['removes a layer that no session needs and no process works in', null, false],
  ['keeps a layer in which a process works, as that of a check without a session', ownerName(), true],
  ['removes it when that process has ended', ownerName().replace(/^\d+/u, '4194304'), false],
])('%s', async (_, owner, isKept) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'left-')))
  onTestFinished(() => removeFolder(base))
  const layers = join(base, 'layers')
  const layer = join(layers, SessionId.parse('one'))
  mkdirSync(join(layer, 'up'), { recursive: true })
  if (owner !== null) writeFileSync(join(layer, 'owner'), owner)
  await removeLeftLayers({ layers, frozen: join(base, 'frozen') }, () => Promise.resolve(false))
  expect(existsSync(layer)).toBe(isKept)
})

it('removes a frozen folder only if no layer is over it, even after the data folder was moved, and none if a layer cannot be read', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'left-')))
  onTestFinished(() => removeFolder(base))
  const places = { layers: join(base, 'layers'), frozen: join(base, 'frozen') }
  for (const name of ['needed', 'also', 'left']) mkdirSync(join(places.frozen, name, 'folder'), { recursive: true })
  mkdirSync(join(places.layers, 'one'), { recursive: true })
  mkdirSync(join(places.layers, 'two', 'below'), { recursive: true })
  writeFileSync(join(places.layers, 'one', 'below'), `/earlier/frozen/needed\n${places.frozen}/also\n`)
  await removeLeftFrozen(places)
  expect(readdirSync(places.frozen)).toEqual(['also', 'left', 'needed'])
  removeFolder(join(places.layers, 'two'))
  await removeLeftFrozen(places)
  expect(readdirSync(places.frozen)).toEqual(['also', 'needed'])
})
