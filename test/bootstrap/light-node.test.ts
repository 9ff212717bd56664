import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { output, settings } from '../../main/rolldown.config.ts'
import { tempFolder } from './temp-folder.ts'

const EVERY_FORM = `
import zlib from 'node:zlib'
import os, { EOL as lineEnd, type } from 'node:os'
import * as path from 'node:path'
import fs, * as files from 'node:fs'
import 'node:events'
console.log(JSON.stringify([typeof zlib.gzipSync, os.EOL === lineEnd, type() === os.type(), path.join('a', 'b'), fs === files.default || fs === files]))
`

test('a built file gets Node’s modules without an import, whatever form the import has', async () => {
  const folder = tempFolder({ 'entry.ts': EVERY_FORM })
  const bundle = await rolldown({ ...settings, input: join(folder, 'entry.ts') })
  await bundle.write({ ...output, dir: join(folder, 'built'), entryFileNames: '[name].mjs' })
  await bundle.close()
  const built = join(folder, 'built', 'entry.mjs')
  expect(JSON.parse(execFileSync(process.execPath, [built], { encoding: 'utf8' }))).toEqual(['function', true, true, join('a', 'b'), true])
  expect(readFileSync(built, 'utf8')).not.toMatch(/import[^;]*from\s*["']node:/u)
})
