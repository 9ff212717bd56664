import { isAbsolute, join, resolve } from 'node:path'
import { naturalOrder } from '../../shared/lib/natural-order.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

export interface CompletionParts {
  readonly env: ExecutionEnvironment
  readonly home: string
  /** Rejects if a folder may not be read or entered. */
  mayOpen(folder: string): Promise<void>
}

export interface Completion {
  /** The folders, spelled as typed (`~` is kept), sorted by name, at most 50. */
  readonly folders: readonly string[]
  /** Whether the typed path is an existing folder. */
  readonly exists: boolean
}

const MAX_FOLDERS = 50
/** Number of folders that are tried in order to find 50 that can be opened. */
const TRIED = 200

/**
 * Folders whose path begins with the typed text. Hidden folders are included only if the dot was typed. Folders that cannot be opened are
 * left out.
 */
export async function completeFolder({ env, home, mayOpen }: CompletionParts, typed: string): Promise<Completion> {
  if (typed.includes('\0')) return { folders: [], exists: false }
  const spelled = typed === '' || typed === '~' ? '~/' : typed
  const cut = Math.max(spelled.lastIndexOf('/'), env.platform() === 'win32' ? spelled.lastIndexOf('\\') : -1) + 1
  const stem = spelled.slice(0, cut)
  const begun = spelled.slice(cut)
  const parent = typedFolder(stem, home)
  const names = await foldersIn(env, parent, begun)
  const folders: string[] = []
  for (const name of names.slice(0, TRIED)) {
    if (folders.length === MAX_FOLDERS) break
    const isUsable = await mayOpen(join(parent, name)).then(
      () => true,
      () => false,
    )
    if (isUsable) folders.push(`${stem}${name}`)
  }
  const typedStat = await env.stat(typedFolder(typed, home)).catch(() => null)
  return { folders, exists: typed !== '' && typedStat?.kind === 'folder' }
}

async function foldersIn(env: ExecutionEnvironment, parent: string, begun: string): Promise<readonly string[]> {
  const fold = (name: string): string => (env.platform() === 'linux' ? name : name.toLowerCase())
  const entries = await env.listDirectory(parent).catch(() => [])
  return entries
    .filter(({ name, isDir }) => isDir && fold(name).startsWith(fold(begun)) && (begun.startsWith('.') || !name.startsWith('.')))
    .map(({ name }) => name)
    .toSorted((a, b) => naturalOrder(a.toLowerCase(), b.toLowerCase()) || naturalOrder(a, b))
}

/**
 * A typed folder as an absolute path. `~` stands for the home folder, and relative paths also start there, because the app has no current
 * folder.
 */
export function typedFolder(typed: string, home: string): string {
  const path = typed.trim()
  if (path === '~') return home
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(home, path.slice(2))
  return isAbsolute(path) ? resolve(path) : resolve(home, path)
}
