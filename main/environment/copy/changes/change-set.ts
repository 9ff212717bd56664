import { readdir } from 'node:fs/promises'
import type { CopyChange, CopyChangeSet, CopyObstacle } from '../../../agent/ports/command-copies.ts'
import { statsAt } from './folder-entries.ts'
import { ignoredTrees, type IsControl } from './ignored-tree.ts'
import { type Layer, startOf } from '../overlay-layer.ts'
import { withAttributes } from './opaque-folders.ts'
import { type Found, walkLayer } from './walk-layer.ts'

/** The changes that the copy contains, once its last process has ended. */
export async function changeSetOf(layer: Layer, folder: string, maxBytes: number, isControl: IsControl): Promise<CopyChangeSet> {
  const start = await startOf(layer)
  if (start === null) return { changes: [], obstacles: [], leftOut: [] }
  const found: Found = { changes: [], obstacles: [], leftOut: [], replaced: new Set(), files: 0, bytes: 0, maxBytes }
  await walkLayer({ up: layer.up, folder, found, treeAt: ignoredTrees(layer.up, folder, isControl) }, '', 'merged')
  const changes = withMoves(found.changes.toSorted((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1)))
  const changed = await changedMeanwhile(folder, changes, start)
  // These attributes are only reported, so a failure loses nothing.
  const attributes = await withAttributes(layer.up, changedFiles(changes)).catch(() => [])
  const leftOut = [...found.leftOut, ...attributes.map((path) => ({ path, what: 'attributes' }) as const)]
  return { changes, obstacles: [...(await blockedIn(folder, found)), ...found.obstacles, ...changed], leftOut }
}

/**
 * Lists the removals that are blocked even if the user would sign them. The same rules apply as for commands that are judged by their text.
 * A single deleted file is allowed even if the folder contains nothing else.
 */
async function blockedIn(folder: string, { changes, replaced }: Found): Promise<readonly CopyObstacle[]> {
  const deleted = new Set(changes.flatMap(({ kind, path }) => (kind === 'deleted' ? [path] : [])))
  if (deleted.has('.git') || replaced.has('.git')) return [{ kind: 'blocked', what: "git's data, and with it the history" }]
  const isFilled = changes.some(({ kind, path }) => kind === 'created' && !path.includes('/'))
  if (deleted.size < 2 || isFilled) return []
  const names = await readdir(folder)
  return names.length > 1 && names.every((name) => deleted.has(name)) ? [{ kind: 'blocked', what: 'the whole folder of this session' }] : []
}

const changedFiles = (changes: readonly CopyChange[]): readonly string[] =>
  changes.flatMap((change) => (change.kind !== 'deleted' && change.after.kind === 'file' ? [change.path] : []))

/**
 * Marks moves: a deleted file whose bytes were created at another path has moved. Each deleted file is the origin of only one new file.
 */
function withMoves(changes: readonly CopyChange[]): readonly CopyChange[] {
  const gone = new Map<string, string>()
  for (const change of changes)
    if (change.kind === 'deleted' && change.before.kind === 'file' && change.before.size > 0) gone.set(change.before.hash, change.path)
  return changes.map((change) => {
    if (change.kind !== 'created' || change.after.kind !== 'file') return change
    const movedFrom = gone.get(change.after.hash)
    gone.delete(change.after.hash)
    return movedFrom === undefined ? change : { ...change, movedFrom }
  })
}

/**
 * Returns the paths that changed in the real folder after the copy began, because the command may not have seen their current content.
 * Change times (ctime) are compared, because `mv` and `rsync -a` keep modification times. The folders above each path are checked too,
 * because they may have been replaced.
 */
async function changedMeanwhile(folder: string, changes: readonly CopyChange[], start: bigint): Promise<readonly CopyObstacle[]> {
  const deleted = new Set(changes.flatMap(({ kind, path }) => (kind === 'deleted' ? [path] : [])))
  const created = new Set(changes.flatMap(({ kind, path }) => (kind === 'created' && !deleted.has(path) ? [path] : [])))
  const obstacles: CopyObstacle[] = []
  for (const path of new Set(changes.flatMap((change) => withFoldersAbove(change.path)))) {
    if ([...foldersAbove(path)].some((above) => created.has(above))) continue
    const now = await statsAt(`${folder}/${path}`)
    if (now && (created.has(path) || now.ctimeNs >= start)) obstacles.push({ kind: 'changed-meanwhile', path })
  }
  return obstacles
}

const withFoldersAbove = (path: string): readonly string[] => [path, ...foldersAbove(path)]

/** Ends with the copied folder itself, which is the empty path. */
export function* foldersAbove(path: string): Iterable<string> {
  for (let at = path; at !== '';) {
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
    yield at
  }
}
