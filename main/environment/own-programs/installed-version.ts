import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../../../shared/lib/json.ts'

/** The version of the npm package to which a program belongs. Null if it belongs to none. */
export function installedVersion(program: string): string | null {
  try {
    for (let at = dirname(realpathSync(program)); at !== dirname(at); at = dirname(at)) {
      const version = versionIn(join(at, 'package.json'))
      if (version !== null) return version
    }
  } catch {}
  return null
}

function versionIn(file: string): string | null {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(found) && typeof found['version'] === 'string' ? found['version'] : null
  } catch {
    return null
  }
}
