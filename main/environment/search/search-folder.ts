import { stat } from 'node:fs/promises'
import { EnvironmentFailure, explained } from '../environment-failure.ts'

/** Rejects with the code and a sentence when `path` is not a folder that could be searched. */
export async function mustBeSearchFolder(path: string): Promise<void> {
  if ((await searchKind(path)) === 'file') throw new EnvironmentFailure('ENOTDIR', `${path} is not a folder to search in (ENOTDIR).`)
}

/** Whether a search starts in a folder or is about one file. */
export async function searchKind(path: string): Promise<'folder' | 'file'> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    if (found.isFile()) return 'file'
  } catch (error) {
    throw explained(error, 'search', path)
  }
  throw new EnvironmentFailure('EINVAL', `${path} is neither a file nor a folder to search in (EINVAL).`)
}
