import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of a built part of the app. Works from the source (`main/…`) and from the bundle (`dist/main/…`). */
export function builtFolder(part: 'renderer' | 'preload', from: string = import.meta.url): string {
  const main = ancestorCalledMain(fileURLToPath(from))
  const root = dirname(main)
  return from.endsWith('.ts') ? join(root, 'dist', part) : join(root, part)
}

/**
 * The licenses of all packages in the app. The build writes them beside its parts; in a packaged app they are beside the archive. Null if
 * they are not there.
 */
export function readLicenses(): Promise<string | null> {
  const built = dirname(builtFolder('renderer'))
  const archive = dirname(built)
  const folder = basename(archive) === 'app.asar' ? dirname(archive) : built
  return readFile(join(folder, 'NOTICES.txt'), 'utf8').catch(() => null)
}

function ancestorCalledMain(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (basename(folder) === 'main') return folder
    if (folder === dirname(folder)) throw new Error(`${file} is not in a folder called main`)
  }
}
