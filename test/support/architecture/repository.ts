import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSource, type SourceFile } from './source-file.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const SOURCES = /\.(ts|tsx|mjs|css)$/

/** Files that are test input or are copied for users, so they are not part of the program. */
const NOT_OURS = /^(test\/fixtures|main\/providers\/rehearsal\/sample)\//

/** Parses every source file of this clone. */
export function repositorySources(): readonly SourceFile[] {
  return ['main', 'preload', 'renderer', 'shared', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCES.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !NOT_OURS.test(path))
      .map((path) => readSource(path, readFileSync(join(ROOT, path), 'utf8'))),
  )
}

export function topLevelEntries(): readonly string[] {
  return readdirSync(ROOT)
}
