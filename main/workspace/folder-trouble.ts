import type { Trouble } from '../../shared/session/events.ts'

const KEPT = 'Nothing was opened or changed.'

/** The reason why a folder cannot be used, determined from the system's error code. `code` is null if nothing exists at the path. */
export function folderTrouble(folder: string, code: string | null): Trouble {
  switch (code) {
    case null:
    case 'ENOENT':
      return {
        code: 'folder_missing',
        what: `There is no folder ${folder}.`,
        kept: KEPT,
        todo: 'Check the path, or choose another folder.',
      }
    case 'ENOTDIR':
      return { code: 'folder_is_a_file', what: `${folder} is not a folder.`, kept: KEPT, todo: 'Choose the folder that contains it.' }
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'folder_unreadable',
        what: `Your user may not read the folder ${folder}.`,
        kept: KEPT,
        todo: 'Give your user the right to read and enter it, or choose another folder.',
      }
    case 'ELOOP':
      return {
        code: 'folder_loop',
        what: `${folder} cannot be opened: its links form a loop.`,
        kept: KEPT,
        todo: 'Correct the links, or choose the folder itself.',
      }
    default:
      return { code: 'folder_unusable', what: `${folder} cannot be used (${code}).`, kept: KEPT, todo: 'Choose another folder.' }
  }
}

/** Like `folderTrouble` for an environment error. Other errors are bugs and are thrown again. */
export function troubleOf(folder: string, error: unknown): Trouble {
  const code = codeOf(error)
  if (code === null || !(error instanceof Error)) throw error
  const trouble = folderTrouble(folder, code)
  return trouble.code === 'folder_unusable'
    ? { ...trouble, what: `${folder} cannot be used. ${error.message}`, todo: 'Mend the cause and try again, or choose another folder.' }
    : trouble
}

/** The code of an environment error; null for anything else. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
