import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNull } from '../environment-failure.ts'
import { isObject } from '../../../shared/lib/json.ts'

/** The version of the npm package that contains a program. Null if no package contains it. */
export function installedVersion(program: string): string | null {
  const file = orNull(() => realpathSync(program))
  if (file === null) return null
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) {
    const version = versionIn(join(at, 'package.json'))
    if (version !== null) return version
  }
  return null
}

function versionIn(file: string): string | null {
  const found = orNull(() => JSON.parse(readFileSync(file, 'utf8')) as unknown)
  return isObject(found) && typeof found['version'] === 'string' ? found['version'] : null
}
