import { open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runOwnProgram } from '../../own-programs/run-own-program.ts'
import { type FolderRules, rulesOf } from '../../search/ignore/folder-ignore-rules.ts'
import { makeOpaque } from '../changes/opaque-folders.ts'
import type { Layer } from '../overlay-layer.ts'

/** Maximum number of entries. A larger folder is not filled. */
const MAX_ENTRIES = 20_000
const MAX_COPIED_BYTES = 512 * 1024 ** 2

/**
 * Copies with exact times and without hard links, so that each name becomes a separate file. The reading process sees only the folder and
 * the system's programs. Otherwise, a process that replaces a folder with a link in the meantime could make it read hidden files.
 */
const COPY = `set -o pipefail
bwrap --ro-bind /usr /usr --ro-bind-try /bin /bin --ro-bind-try /lib /lib --ro-bind-try /lib64 /lib64 --ro-bind-try /nix /nix \\
  --ro-bind "$PWD" /folder --chdir /folder --unshare-all --cap-drop ALL --die-with-parent -- \\
  tar -c --format=posix --no-recursion --hard-dereference --null --files-from=- |
  tar -x -C "$1" --preserve-permissions --no-same-owner`

interface Walked {
  /** Relative paths, folders before what they contain. */
  readonly entries: string[]
  /** Folders that are completely in the upper layer, so that they can be renamed there. */
  readonly whole: string[]
  bytes: number
}

/**
 * Puts a copy of the folder into the upper layer, except `.git` and the files that git ignores. The folders of the copy can then be
 * renamed, which is impossible for folders of the lower layer. Leaves the layer empty if the folder is too large or cannot be read. Call
 * this before the copy starts.
 */
export async function fillLayer(layer: Layer): Promise<void> {
  // Files that change from now on may differ from what is copied.
  await (await open(layer.started, 'w', 0o600)).close()
  const folder = await realpath(join(layer.path, 'low'))
  const walked: Walked = { entries: [], whole: [], bytes: 0 }
  try {
    await walk(folder, '', rulesOf(folder), walked)
    if (walked.entries.length > MAX_ENTRIES || walked.bytes > MAX_COPIED_BYTES) return
    const input = walked.entries.map((path) => `./${path}\0`).join('')
    const { failure } = await runOwnProgram('/bin/bash', ['-c', COPY, 'fill', layer.up], { cwd: folder, input })
    if (failure) throw failure
    if (walked.whole.length > 0) await makeOpaque(layer.up, walked.whole)
  } catch {
    for (const name of await readdir(layer.up)) await rm(join(layer.up, name), { recursive: true, force: true })
  }
}

/** Returns true if everything in the folder was added. */
async function walk(root: string, folder: string, rules: FolderRules, walked: Walked): Promise<boolean> {
  let isWhole = true
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const isPlain = entry.isDirectory() || entry.isFile() || entry.isSymbolicLink()
    if (!isPlain || rules.ignores(entry.name, entry.isDirectory())) isWhole = false
    else if (walked.entries.push(path) > MAX_ENTRIES) return false
    else if (entry.isDirectory()) {
      const isInnerWhole = await walk(root, path, rules.enter(entry.name), walked)
      if (isInnerWhole) walked.whole.push(path)
      else isWhole = false
    } else if (entry.isFile()) walked.bytes += (await stat(join(root, path))).size
    if (walked.bytes > MAX_COPIED_BYTES) return false
  }
  return isWhole
}
