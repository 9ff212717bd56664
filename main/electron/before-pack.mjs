import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALL_PARTS } from '../bootstrap/build.mjs'
import { ROOT } from '../bootstrap/places.mjs'
import { removeOldFiles } from '../bootstrap/put-in-place.mjs'

/** Called by electron-builder, and run by `npm pack`: removes files of older builds before packaging. */
export function beforePack() {
  for (const part of ALL_PARTS) if (existsSync(join(ROOT, 'dist', part))) removeOldFiles(join(ROOT, 'dist', part))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) beforePack()
