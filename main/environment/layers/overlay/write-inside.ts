import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { mkdir, open, rename, rm, symlink, unlink } from 'node:fs/promises'
import { codeOf, orNull } from '../../environment-failure.ts'
import { BlobHash } from '../../../../shared/lib/ids.ts'
import type { CopyChange } from '../../../agent/ports/command-copies.ts'
import { inParentOf } from '../../copy/apply/apply-steps.ts'
import type { RunningInLayer } from './running-in-layer.ts'

/** Change sets do not contain these bits, so a file that is written keeps them. */
const SET_ID = 0o6000

/** What a file or link of a layer becomes. `bytes` is null if it is deleted. */
export interface InsideFile {
  /** Relative to the folder. */
  readonly path: string
  readonly bytes: Uint8Array | null
  /** Permission bits. Null for a link, whose target is in `bytes`. */
  readonly mode: number | null
}

/** The files and links that a change set writes or deletes. The folders above new files are created with them. */
export async function insideFiles(
  changes: readonly CopyChange[],
  bytesOf: (hash: BlobHash) => Uint8Array | Promise<Uint8Array>,
): Promise<readonly InsideFile[]> {
  // A file that replaces a link is deleted and created. Only the last of both counts, so that the replacement is one step.
  const files = new Map<string, InsideFile>()
  for (const change of changes) {
    const { path } = change
    if (change.kind === 'deleted') files.set(path, { path, bytes: null, mode: 0 })
    else if (change.after.kind === 'file')
      files.set(path, { path, bytes: await bytesOf(BlobHash.parse(change.after.hash)), mode: change.after.mode })
    else if (change.after.kind === 'link') files.set(path, { path, bytes: Buffer.from(change.after.target), mode: null })
    else if (change.after.kind !== 'folder') throw new Error(`A change of the kind ${change.after.kind} is never made in a layer.`)
  }
  return [...files.values()]
}

/**
 * Writes or deletes a file of a layer in which a program runs. Programs inside see the old or the new file, and nothing in between. Creates
 * the folders above it. Follows no links, because a link inside may lead anywhere outside.
 */
export async function writeInside({ files }: Pick<RunningInLayer, 'files'>, { path, bytes, mode }: InsideFile): Promise<void> {
  if (bytes === null) return inParentOf(files, path, unlink).catch(unlessMissing)
  for (const [at, character] of [...path].entries()) if (character === '/') await inParentOf(files, path.slice(0, at), makeFolder)
  await inParentOf(files, path, async (at) => {
    const temporary = `${at.slice(0, at.lastIndexOf('/'))}/.countersign-${randomBytes(8).toString('hex')}`
    try {
      if (mode === null) await symlink(Buffer.from(bytes), temporary)
      else await writeNew(temporary, bytes, mode | setIdOf(at))
      await rename(temporary, at)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  })
}

function setIdOf(at: string): number {
  const found = orNull(() => lstatSync(at))
  return found?.isFile() === true ? found.mode & SET_ID : 0
}

/** The mode is set through the open file, because a program inside may put a link in its place. */
async function writeNew(at: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(at, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.chmod(mode)
  } finally {
    await handle.close()
  }
}

const makeFolder = (at: string): Promise<void> =>
  mkdir(at).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })

function unlessMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
}
