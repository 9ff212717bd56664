import type { PrepareContext } from '../../agent/ports/tool.ts'
import { shownPath } from '../define/outcome.ts'

/** Why a file may not be removed by this name: it is a link, and what it leads to would be removed in its place. Null: it may. */
export async function linkRefusal(path: string, { env }: PrepareContext): Promise<string | null> {
  const stat = await env.lstat(path)
  return stat?.kind === 'symlink' ? `${shownPath(path)} is a symbolic link, which is removed or moved with a command.` : null
}
