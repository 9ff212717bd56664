import { execFile } from 'node:child_process'
import { dirname } from 'node:path'

/** Maximum number of paths that are passed to one run of the program. The kernel limits arguments to about a megabyte. */
const BATCH = 200

/**
 * Returns the folders of an upper layer (relative paths) that replace a folder instead of being merged with it. Node cannot read the
 * extended attribute that marks them.
 */
export async function opaqueAmong(up: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = 0; from < folders.length; from += BATCH) {
    const batch = folders.slice(from, from + BATCH)
    for (const path of await withAttribute(up, batch, ['-n', 'user.overlay.opaque'])) found.add(path)
  }
  return found
}

/** Maximum number of changed files that are examined. */
const MAX_LOOKED_AT_FILES = 1_000
/** Matches capabilities and all user attributes except those of the overlay. */
const OWN_ATTRIBUTES = String.raw`^(user\.([^o]|o[^v])|security\.capability)`

/**
 * Returns which of the first `MAX_LOOKED_AT_FILES` files (relative paths) have extended attributes. Extended attributes are not applied.
 */
export async function withAttributes(up: string, files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (let from = 0; from < Math.min(files.length, MAX_LOOKED_AT_FILES); from += BATCH)
    found.push(...(await withAttribute(up, files.slice(from, from + BATCH), ['-m', OWN_ATTRIBUTES])))
  return found
}

async function withAttribute(up: string, paths: readonly string[], which: readonly string[]): Promise<readonly string[]> {
  const text = await getfattr(
    up,
    which,
    paths.map((path) => `./${path}`),
  )
  return [...text.matchAll(/^# file: (?:\.\/)?(.*)$/gmu)].map(([, path = '']) => unescaped(path))
}

/** Fails only if a path cannot be examined. A path without the attribute is left out and reported on stderr. */
function getfattr(cwd: string, which: readonly string[], paths: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const env = { PATH: process.env['PATH'] ?? dirname('/usr/bin/getfattr'), LC_ALL: 'C' }
  execFile(
    'getfattr',
    ['-h', ...which, '--', ...paths],
    { cwd, env, maxBuffer: 64 * 1024 * 1024, encoding: 'latin1' },
    (error, text, stderr) => {
      const others = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such attribute'))
      if (error && (typeof error.code !== 'number' || others.length > 0)) reject(new Error(`getfattr: ${others[0] ?? error.message}`))
      else resolve(text)
    },
  )
  return promise
}

/** getfattr writes unprintable bytes as octal numbers. */
function unescaped(path: string): string {
  const bytes = path.replaceAll(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
