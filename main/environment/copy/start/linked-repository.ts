import { lstat, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Entries of every folder in which git stores a repository. */
const PARTS = ['HEAD', 'objects', 'refs']

/**
 * The real path of the repository of a linked worktree, which is outside the worktree. Null for other folders. The project controls its
 * `.git` file, so the repository must point back to this worktree. Otherwise a project could make any folder visible to commands.
 */
export async function linkedRepository(folder: string): Promise<string | null> {
  try {
    const own = join(folder, '.git')
    if (!(await lstat(own)).isFile()) return null
    const [, named] = /^gitdir: (.+)$/mu.exec(await readFile(own, 'utf8')) ?? []
    if (named === undefined) return null
    const data = await realpath(resolve(folder, named))
    const back = resolve(data, (await readFile(join(data, 'gitdir'), 'utf8')).trimEnd())
    const repository = dirname(dirname(data))
    if (basename(dirname(data)) !== 'worktrees' || (await realpath(back)) !== (await realpath(own))) return null
    for (const part of PARTS) await lstat(join(repository, part))
    return repository
  } catch {
    return null
  }
}
