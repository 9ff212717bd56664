import { execFile } from 'node:child_process'
import { dirname } from 'node:path'

/** Paths for one start of the program; the kernel takes a megabyte of them. */
const BATCH = 200

/**
 * Of these folders of an upper layer (relative paths), those that replace a folder instead of being laid over it. Node
 * cannot read the extended attribute that says so.
 */
export async function opaqueAmong(up: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = 0; from < folders.length; from += BATCH) {
    const batch = folders.slice(from, from + BATCH)
    const text = await getfattr(
      up,
      batch.map((path) => `./${path}`),
    )
    for (const [, path = ''] of text.matchAll(/^# file: (?:\.\/)?(.*)$/gmu)) found.add(unescaped(path))
  }
  return found
}

/** Fails only where some path cannot be looked at; one without the attribute is left out and told on stderr. */
function getfattr(cwd: string, paths: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const env = { PATH: process.env['PATH'] ?? dirname('/usr/bin/getfattr'), LC_ALL: 'C' }
  execFile(
    'getfattr',
    ['-h', '-n', 'user.overlay.opaque', '--', ...paths],
    { cwd, env, maxBuffer: 64 * 1024 * 1024, encoding: 'latin1' },
    (error, text, stderr) => {
      const others = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such attribute'))
      if (error && (typeof error.code !== 'number' || others.length > 0)) reject(new Error(`getfattr: ${others[0] ?? error.message}`))
      else resolve(text)
    },
  )
  return promise
}

/** It writes bytes that are not printed as octal numbers. */
function unescaped(path: string): string {
  const bytes = path.replaceAll(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
