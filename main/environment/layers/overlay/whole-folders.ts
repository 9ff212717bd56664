import { readdirSync } from 'node:fs'
import { EnvironmentFailure } from '../../environment-failure.ts'

/** Maximum number of entries, and of bytes, of a folder that is copied so that it can be renamed. */
const MAX_ENTRIES = 20_000
const MAX_BYTES = 512 * 1024 ** 2

/**
 * Runs in a layer, with the path of a folder. The kernel copies each entry to the upper folder when its mode or time is set, also to what it
 * is. Exits with a failure if the folder is too large, or has entries of other users.
 */
export const COPY_UP = `
set -o pipefail
[ -d "$1" ] && [ ! -L "$1" ] || exit 1
[ "$(find "$1" | head -n ${MAX_ENTRIES + 1} | wc -l)" -le ${MAX_ENTRIES} ] || exit 1
[ "$(du -s -B1 --apparent-size -- "$1" | cut -f1)" -le ${MAX_BYTES} ] || exit 1
chmod -R u+ -- "$1" && find "$1" -type l -exec touch -h -c -r {} {} \\;
`

/**
 * The folders at and below `path`, relative to `up`. Rejects with `EXDEV` if the upper folder `up` lacks an entry that is seen in the layer,
 * because that entry would then be lost. `seen`: the layer as programs in it see it.
 */
export function wholeFolders(up: string, seen: string, path: string): readonly string[] {
  const own = new Map(readdirSync(`${up}/${path}`, { withFileTypes: true }).map((entry) => [entry.name, entry]))
  const missing = readdirSync(`${seen}/${path}`).find((name) => !own.has(name))
  if (missing !== undefined)
    throw new EnvironmentFailure('EXDEV', `The folder ${path} cannot be renamed, because ${path}/${missing} was added meanwhile (EXDEV).`)
  const folders = [...own.values()].filter((entry) => entry.isDirectory())
  return [path, ...folders.flatMap(({ name }) => wholeFolders(up, seen, `${path}/${name}`))]
}
