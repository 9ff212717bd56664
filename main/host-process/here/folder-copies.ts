import { join } from 'node:path'
import { deferredCalls } from '../../../shared/lib/deferred-calls.ts'
import type { CommandCopies } from '../../agent/ports/command-copies.ts'
import { isControlPath } from '../../approval/control-files.ts'
import type { SignedFiles } from '../../environment/copy/guard/control-file-contents.ts'
import type { LocalCopyOptions } from '../../environment/copy/local-command-copies.ts'
import { jsonDataFile } from '../../settings/json-data-file.ts'

export const isControl = (path: string): boolean => isControlPath(path.split('/'))

/** The folder for copies in the data folder. */
export const copiesFolderIn = (dataFolder: string): string => join(dataFolder, 'copies')

export interface FolderCopies extends Pick<LocalCopyOptions, 'notes' | 'redactor' | 'allowVariables' | 'folder' | 'source' | 'above'> {
  readonly dataFolder: string
  /** Countersign's own folders, which no command may see. Default: the data folder. */
  readonly hidden?: readonly string[]
  /** The control files that signed steps have written, in all folders of the app. */
  readonly signed: SignedFiles
}

/** The methods of `CommandCopies` for `deferredCalls`. */
export const COPY_CALLS = ['support', 'run', 'confine', 'parseKept', 'apply', 'ignoredParts', 'keeps', 'release'] as const

/** The copies of one folder. The code is loaded when the first command runs. */
export function createFolderCopies({ dataFolder, hidden = [dataFolder], ...options }: FolderCopies): CommandCopies {
  let loaded: Promise<CommandCopies> | undefined
  const load = (): Promise<CommandCopies> =>
    (loaded ??= import('../../environment/copy/local-command-copies.ts').then(({ createLocalCommandCopies }) =>
      createLocalCommandCopies({
        ...options,
        layers: copiesFolderIn(dataFolder),
        hidden,
        isControl,
        keepsTemporary: true,
        keptSupport: jsonDataFile(dataFolder, 'copy-support'),
      }),
    ))
  return {
    ...deferredCalls<CommandCopies, (typeof COPY_CALLS)[number]>(COPY_CALLS, async (work) => work(await load())),
    // `sign` does not wait for the code to load, because hooks and servers may run confined before the first command.
    sign: (files) => options.signed.add(files),
    cleanup: async () => (await loaded)?.cleanup(),
  }
}
