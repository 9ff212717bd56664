import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { EnvironmentFailure } from './environment-failure.ts'

/**
 * The names of the files from which threads and the host process are started. The build writes each as one file next to the app's entry
 * files.
 */
export type WorkerName =
  | 'blame-worker'
  | 'comparison-worker'
  | 'doctor-worker'
  | 'document-worker'
  | 'history-worker'
  | 'host-process'
  | 'search-worker'
  | 'storage-worker'
  | 'symbol-worker'
  | 'tree-worker'

/**
 * The hashes of the threads' files, which the build writes next to the app's entry files. In a packaged app this list is inside the
 * archive, whose integrity Electron checks.
 */
const HASHES = 'worker-hashes.json'

/**
 * The file of a thread's code: next to `importer` (an `import.meta.url`) in the sources, next to the shells in a build. In a packaged app it
 * is outside the archive, so its hash is compared with the hash that the build wrote into the archive.
 *
 * @throws EnvironmentFailure `ECHANGED` if they differ: the installation was altered.
 */
export function workerFile(name: WorkerName, importer: string): URL {
  if (importer.endsWith('.ts')) return new URL(`./${name}.ts`, importer)
  const here = dirname(fileURLToPath(importer))
  const shells = here.endsWith(`${sep}chunks`) ? dirname(here) : here
  const outside = shells.replace(`${sep}app.asar${sep}`, `${sep}app.asar.unpacked${sep}`)
  const file = join(outside, `${name}.js`)
  if (outside !== shells) checkBytes(file, join(shells, HASHES), name)
  return pathToFileURL(file)
}

function checkBytes(file: string, list: string, name: WorkerName): void {
  const expected = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(list, 'utf8')))[`${name}.js`]
  if (createHash('sha256').update(readFileSync(file)).digest('hex') === expected) return
  throw new EnvironmentFailure(
    'ECHANGED',
    `A part of Countersign (${name}.js) has been changed since it was installed. Install Countersign again.`,
  )
}
