import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { wholeFolders } from '../../main/environment/layers/overlay/whole-folders.ts'

it('rejects a folder with more entries than can be copied', async () => {
  const up = mkdtempSync(join(tmpdir(), 'countersign-whole-'))
  onTestFinished(() => rmSync(up, { recursive: true }))
  mkdirSync(join(up, 'own', 'deep'), { recursive: true })
  for (let at = 0; at < 20_000; at++) writeFileSync(join(up, 'own', 'deep', `${at}`), '')
  await expect(wholeFolders(up, { files: up }, 'own')).rejects.toThrow('too many entries')
}, 60_000)
