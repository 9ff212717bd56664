import { access, constants, stat } from 'node:fs/promises'
import { EnvironmentFailure, explained } from '../environment-failure.ts'

/** Rejects with the code and a sentence when `path` is not a folder that could be searched. */
export async function mustBeSearchFolder(path: string): Promise<void> {
  if ((await searchKind(path)) === 'file') throw new EnvironmentFailure('ENOTDIR', `${path} is not a folder to search in (ENOTDIR).`)
}

/** Whether a search starts in a folder or is about one file. Rejects where it may not be read, which must not look like "no match". */
export async function searchKind(path: string): Promise<'folder' | 'file'> {
  try {
    const found = await stat(path)
    if (found.isDirectory() || found.isFile()) {
      await access(path, constants.R_OK)
      return found.isFile() ? 'file' : 'folder'
    }
  } catch (error) {
    throw explained(error, 'search', path)
  }
  throw new EnvironmentFailure('EINVAL', `${path} is neither a file nor a folder to search in (EINVAL).`)
}
