import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const ROOT = join(import.meta.dirname, '..', '..')

/**
 * `npm ci` refuses a lock file with gaps. npm writes such a file if, at that moment, the registry does not provide an optional package for
 * another platform.
 */
test('the lock file lists every package that another package needs, including those of other platforms', async () => {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const missing = Object.entries(packages).flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter((name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
      .map((name) => `${path || 'package.json'} needs ${name}`),
  )
  expect(missing).toEqual([])
})

/** Returns the folders in whose `node_modules` Node looks up the imports of the package at `path`. */
function foldersAbove(path: string): readonly string[] {
  if (path === '') return ['']
  const parent = path.lastIndexOf('/node_modules/')
  return [`${path}/`, ...foldersAbove(parent === -1 ? '' : path.slice(0, parent))]
}
