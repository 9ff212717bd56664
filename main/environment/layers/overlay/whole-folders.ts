import { opendir } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { inParentOf } from '../../copy/apply/apply-steps.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'
import type { RunningInLayer } from './running-in-layer.ts'

/** Maximum number of entries, and of bytes, of a folder that is copied so that it can be renamed. */
const MAX_ENTRIES = 20_000
const MAX_BYTES = 512 * 1024 ** 2

/**
 * Runs in a layer, with the path of a folder. The kernel copies an entry to the upper folder when its mode or time is set, even to the same
 * value. Exits with a failure if the folder is too large, or has entries of other users.
 */
export const COPY_UP = `
set -o pipefail
[ -d "$1" ] && [ "$(realpath -- "$1")" = "$1" ] || exit 1
[ "$(find "$1" | head -n ${MAX_ENTRIES + 1} | wc -l)" -le ${MAX_ENTRIES} ] || exit 1
[ "$(du -s -B1 --apparent-size -- "$1" | cut -f1)" -le ${MAX_BYTES} ] || exit 1
chmod -R u+ -- "$1" && find "$1" -type l -exec touch -h -c -r {} {} \\;
`

/**
 * The folders at and below `path`, relative to the upper folder `up`. Follows no links, because a link that a program inside makes may lead
 * anywhere outside; rejects with `ENOTDIR` or `ELOOP` if `path` has one. Rejects with `EXDEV` if there are too many entries, or if `up`
 * lacks an entry that programs inside see, because that entry would then be lost.
 */
export async function wholeFolders(up: string, inside: Pick<RunningInLayer, 'files'>, path: string): Promise<readonly string[]> {
  const slice = createSlices()
  let left = MAX_ENTRIES
  const entriesOf = (root: string, folder: string): Promise<ReadonlyMap<string, Dirent>> =>
    inParentOf(root, `${folder}/`, async (at) => {
      const entries = new Map<string, Dirent>()
      for await (const entry of await opendir(at, { bufferSize: 1_000 })) {
        if (entries.size >= left) throw new EnvironmentFailure('EXDEV', `The folder ${path} has too many entries to be renamed (EXDEV).`)
        entries.set(entry.name, entry)
        await slice()
      }
      return entries
    })
  const folders = [path]
  // Grows while it is read.
  for (const folder of folders) {
    const own = await entriesOf(up, folder)
    const missing = (await entriesOf(inside.files, folder)).keys().find((name) => !own.has(name))
    if (missing !== undefined)
      throw new EnvironmentFailure(
        'EXDEV',
        `The folder ${path} cannot be renamed, because ${folder}/${missing} was added meanwhile (EXDEV).`,
      )
    left -= own.size
    for (const [name, entry] of own) if (entry.isDirectory()) folders.push(`${folder}/${name}`)
  }
  return folders
}
