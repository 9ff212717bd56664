import { relative } from 'node:path'
import { git, gitText } from './clone-git.ts'
import { HEAD_REF, inRepository, type Snapshot, WORK_REF } from './take-snapshot.ts'

/** A file or symbolic link in a commit. `object`: git's hash of its content, which is the target of a link. */
export interface GitFile {
  readonly object: string
  readonly kind: 'file' | 'program' | 'link'
}

/**
 * A file that differs between the snapshot and the fetched state. `path` is relative to the folder. `base` and `own` are null if that state
 * has no such file.
 */
export interface ChangedFile {
  readonly path: string
  readonly base: GitFile | null
  readonly own: GitFile | null
}

const KINDS: Readonly<Record<string, GitFile['kind']>> = { '100644': 'file', '100755': 'program', '120000': 'link' }

/** The commit with the fetched state of a clone. Null if nothing was fetched yet. */
export const fetchedWork = (kept: string): Promise<string | null> => commitAt(kept, WORK_REF)

/** The newest fetched commit that was made in a clone. Null if none was made. */
export const fetchedHead = (kept: string): Promise<string | null> => commitAt(kept, HEAD_REF)

async function commitAt(kept: string, ref: string): Promise<string | null> {
  return (await gitText([...inRepository(kept), 'rev-parse', '--quiet', '--verify', ref], { mayFail: true })) || null
}

/** The files in the folder that differ between two commits, without submodules. */
export async function changedFiles(kept: string, { top, base }: Snapshot, folder: string, work: string): Promise<readonly ChangedFile[]> {
  const prefix = relative(top, folder)
  const args = [
    '--literal-pathspecs',
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    base,
    work,
    ...(prefix === '' ? [] : ['--', prefix]),
  ]
  const { stdout } = await git([...inRepository(kept), ...args])
  const words = stdout.toString('utf8').split('\0')
  const changed: ChangedFile[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [before = '', after = '', beforeObject = '', afterObject = ''] = (words[at] ?? '').slice(1).split(' ')
    const path = words[at + 1] ?? ''
    const one = {
      path: prefix === '' ? path : path.slice(prefix.length + 1),
      base: fileOf(before, beforeObject),
      own: fileOf(after, afterObject),
    }
    if (one.base !== null || one.own !== null) changed.push(one)
  }
  return changed
}

function fileOf(mode: string, object: string): GitFile | null {
  const kind = KINDS[mode]
  return kind === undefined ? null : { object, kind }
}

/** The files of the snapshot at these paths, which are relative to the folder. */
export async function snapshotFiles(
  kept: string,
  { top, base }: Snapshot,
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, GitFile>> {
  if (paths.length === 0) return new Map()
  const prefix = relative(top, folder)
  const inTop = paths.map((path) => (prefix === '' ? path : `${prefix}/${path}`))
  const { stdout } = await git([...inRepository(kept), '--literal-pathspecs', 'ls-tree', '-r', '-z', base, '--', ...inTop])
  const files = new Map<string, GitFile>()
  for (const line of stdout.toString('utf8').split('\0').filter(Boolean)) {
    const [facts = '', path = ''] = line.split('\t')
    const [mode = '', , object = ''] = facts.split(' ')
    const file = fileOf(mode, object)
    if (file !== null) files.set(prefix === '' ? path : path.slice(prefix.length + 1), file)
  }
  return files
}

/** The contents of objects, by their hashes. All of them are in memory at once, so `git` limits their size. */
export async function contentsOf(kept: string, objects: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  if (objects.length === 0) return new Map()
  const input = `${objects.join('\n')}\n`
  const { stdout } = await git([...inRepository(kept), 'cat-file', '--batch'], { input })
  const contents = new Map<string, Uint8Array>()
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf('\n', at)
    const [object = '', , size = ''] = stdout.subarray(at, end).toString('utf8').split(' ')
    const from = end + 1
    contents.set(object, stdout.subarray(from, from + Number(size)))
    at = from + Number(size) + 1
  }
  return contents
}
