import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkpoint, checkpointArguments } from '../../driver/program/checkpoint.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ENV = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
/** Runs git without the user's configuration. */
export const git = (cwd: string, ...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, env: ENV, stdio: 'pipe' })

/** Creates a folder with these files, by path. */
export function folderWith(tree: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('reports')
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Returns every file below a folder by path: the hash of its bytes, or the target of a link. */
export function stateOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) =>
    entry.isDirectory() ? [] : [[join(entry.parentPath, entry.name), entry.isSymbolicLink()] as const],
  )
  const of = (path: string, isLink: boolean): string =>
    isLink ? `-> ${readlinkSync(path)}` : createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(
    paths.map(([path, isLink]) => [path.slice(folder.length + 1), of(path, isLink)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Plays steps in a new session of the folder. `off`: commands run for real. `copy`: they run in a copy of the folder. */
export const played = (sandbox: 'off' | 'copy', folder: string, ...steps: readonly object[]) =>
  checkpoint(
    folder,
    checkpointArguments.parse({ steps, ...(sandbox === 'off' ? { sandbox } : { mode: 'auto' }) }),
    new AbortController().signal,
  )
