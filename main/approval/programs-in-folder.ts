import { posix } from 'node:path'
import { isInside } from '../is-inside.ts'
import type { CommandLine } from './command-line/read-command-line.ts'
import { startsOf } from './command-line/started-programs.ts'
import type { Disk } from './reached-files.ts'

/**
 * The programs of a line that the shell finds in the workspace folder, where the agent can write them, because a folder of PATH is in it or
 * leads into it. `path`: the PATH of the command. Programs that cannot be examined are listed too. Never rejects.
 */
export async function programsInFolder({ runs }: CommandLine, root: string, disk: Disk, path: string): Promise<readonly string[]> {
  const names = new Set(runs.flatMap(({ words }) => startsOf(words).flatMap(([program]) => (program ? [program.text] : []))))
  const workingFolders = new Set(runs.flatMap(({ folders }) => folders ?? [root]))
  const found = await Promise.all(
    [...workingFolders].flatMap((cwd) => {
      // A relative or empty entry of PATH stands for a folder below the working folder.
      const searched = path.split(':').map((entry) => posix.resolve(root, cwd, entry))
      return [...names].filter((name) => !name.includes('/')).map((name) => inFolder(name, searched, root, disk))
    }),
  )
  return [...new Set(found.filter((file) => file !== null))]
}

/**
 * The program if the first folder that has it is in the workspace folder, or if it is a link into that folder. All folders are examined at
 * once, because one after the other would delay each command.
 */
async function inFolder(name: string, searched: readonly string[], root: string, { env, place }: Disk): Promise<string | null> {
  const kindOf = (file: string): Promise<'file' | 'other' | 'unknown'> =>
    env.stat(file).then(
      (found) => (found?.kind === 'file' ? 'file' : 'other'),
      () => 'unknown',
    )
  const candidates = searched.map((folder) => ({ folder, file: posix.join(folder, name) }))
  const kinds = await Promise.all(candidates.map(({ file }) => kindOf(file)))
  for (const [at, { folder, file }] of candidates.entries()) {
    if (kinds[at] === 'other') continue
    const isInRoot = isInside(root, folder) || (kinds[at] === 'file' && (await leadsInto(root, [file, folder], place)))
    if (isInRoot) return file
    if (kinds[at] === 'file') return null
  }
  return null
}

/** Whether one of the paths leads into the folder. A path that cannot be examined may. */
async function leadsInto(root: string, paths: readonly string[], place: Disk['place']): Promise<boolean> {
  const real = await Promise.all(paths.map((path) => place(path).catch(() => null)))
  return real.some((found) => found === null || isInside(root, found.path))
}
