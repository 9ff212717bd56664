import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, rename, stat, symlink, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SetAside } from '../../../../shared/session/file-change.ts'
import { codeOf } from '../../environment-failure.ts'
import { inParentOf } from '../apply/apply-steps.ts'
import type { StandingControl } from './control-file-contents.ts'
import { moveEntry, openToOwner } from './entries-by-handle.ts'

/** What is moved out of the folder. */
interface Unwanted {
  /** Relative to the folder. */
  readonly path: string
  /** What is put back in its place. Null if nothing is put back. */
  readonly before: StandingControl | null
}

/** Moves files and folders out of a folder into a new one in `layers`, and puts back what was there before. Follows no link on the way. */
export async function moveAway(folder: string, layers: string, unwanted: readonly Unwanted[]): Promise<readonly SetAside[]> {
  if (unwanted.length === 0) return []
  const kept = join(layers, `set-aside-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}-${randomBytes(3).toString('hex')}`)
  const moved: SetAside[] = []
  for (const { path, before } of unwanted) {
    const to = join(kept, path)
    try {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      const done = await inParentOf(folder, path, (at) => withRights(at, () => exchange(at, to, before)))
      if (done) moved.push({ path, keptAt: to, ...(done === 'restored' && { isRestored: true }) })
    } catch (error) {
      if (!GONE.has(codeOf(error) ?? '')) moved.push({ path, keptAt: null })
    }
  }
  return moved
}

/** The folder above has disappeared, or something else has taken its place. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Null if the entry has disappeared in the meantime. */
async function exchange(at: string, to: string, before: StandingControl | null): Promise<'moved' | 'restored' | null> {
  if (!(await move(at, to))) return null
  if (before === null) return 'moved'
  return putBack(at, before).then(
    () => 'restored',
    // If somebody has put something else there in the meantime, the next check handles it.
    () => 'moved',
  )
}

/** Runs `work` even if the owner may not write to the folder. In that case, the folder's permissions are restored afterwards. */
async function withRights<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  }
  await openToOwner(at)
  const above = dirname(at)
  const mode = (await stat(above)).mode & 0o7777
  await chmod(above, mode | 0o700)
  try {
    return await work()
  } finally {
    await chmod(above, mode).catch(() => {})
  }
}

/** Returns false if the entry has disappeared in the meantime. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    if (codeOf(error) !== 'EXDEV') throw error
  }
  await moveEntry(from, to)
  return true
}

/** Rejects if something is at the path now, or if the content was not kept. */
async function putBack(at: string, { kind, content }: StandingControl): Promise<void> {
  if (!content?.bytes) throw new Error('Its content was not kept.')
  if (kind === 'link') return symlink(Buffer.from(content.bytes), at)
  const temporary = join(dirname(at), `.countersign-${randomBytes(8).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content.bytes)
      if (process.geteuid?.() === 0) await file.chown(content.uid, content.gid)
      await file.chmod(content.mode)
    } finally {
      await file.close()
    }
    await link(temporary, at)
  } finally {
    await unlink(temporary).catch(() => {})
  }
}
