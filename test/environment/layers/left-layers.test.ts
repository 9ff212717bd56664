import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { SessionId } from '../../../shared/lib/ids.ts'
import { ownerName } from '../../../main/environment/copy/overlay-layer.ts'
import { removeLeftLayers } from '../../../main/environment/layers/left-layers.ts'
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
