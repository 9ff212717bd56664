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

/** The program if the first folder that has it is in the workspace folder, or if it is a link into that folder. */
async function inFolder(name: string, searched: readonly string[], root: string, { env, place }: Disk): Promise<string | null> {
  for (const folder of searched) {
    const file = posix.join(folder, name)
    try {
      if ((await env.stat(file))?.kind !== 'file') continue
      const [target, real] = await Promise.all([place(file), place(folder)])
      return isInside(root, target.path) || isInside(root, real.path) || isInside(root, folder) ? file : null
    } catch {
      if (isInside(root, folder)) return file
    }
  }
  return null
}
