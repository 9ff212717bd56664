import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SHELL_PARTS, build } from '../../main/bootstrap/build.mjs'
import { cacheFolder, ROOT, runtimeNode } from '../../main/bootstrap/places.mjs'

const PREFIX = 'tested-'

/** The environment variable that passes the folder of the tested build to the processes that run the tests. */
export const TESTED_BUILD = 'COUNTERSIGN_TESTED_BUILD'

/**
 * Runs before the first test. Builds every part whose sources are newer than its build, and copies the result for this run, because another
 * build would remove files that a running shell has yet to load. Rejects with the compiler's message. The copy is removed when the run
 * ends, and copies of killed runs are removed by the next run. Does nothing if this run already has a copy.
 */
export async function buildShell(): Promise<() => Promise<void>> {
  if (process.env[TESTED_BUILD] !== undefined) return async () => {}
  const failed = await build(ROOT, runtimeNode(ROOT) ?? process.execPath, SHELL_PARTS)
  if (failed !== null) throw new Error(failed)
  const all = cacheFolder(ROOT)
  await mkdir(all, { recursive: true })
  const left = (await readdir(all)).filter((name) => name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length))))
  await Promise.all(left.map((name) => rm(join(all, name), { recursive: true, force: true })))
  const own = join(all, `${PREFIX}${process.pid}`)
  await cp(join(ROOT, 'dist'), own, { recursive: true })
  process.env[TESTED_BUILD] = own
  return () => {
    Reflect.deleteProperty(process.env, TESTED_BUILD)
    return rm(own, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The shells as they are shipped, and the folder of their compiled code during this run. */
export interface BuiltShells {
  readonly browser: string
  readonly headless: string
  readonly codeCache: string
}

/** Throws if nothing was built for this run. */
export function builtShell(): BuiltShells {
  const built = builtShells()
  if (built === null) throw new Error('Nothing was built: run these tests with test/e2e/playwright.config.ts.')
  return built
}

/** Null if a single test file is run directly, because then nothing is built. */
export function builtShells(): BuiltShells | null {
  const folder = process.env[TESTED_BUILD]
  if (folder === undefined) return null
  return { browser: join(folder, 'main', 'serve.js'), headless: join(folder, 'main', 'run.js'), codeCache: join(folder, 'code') }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
