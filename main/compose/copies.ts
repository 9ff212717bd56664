import { join } from 'node:path'
import type { Trouble } from '../../shared/session/events.ts'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import { recoverCopiesIn } from '../environment/copy/left-behind.ts'
import type { LocalCopyOptions } from '../environment/copy/local-copies.ts'

const layersIn = (dataFolder: string): string => join(dataFolder, 'copies')

export interface FolderCopies extends Pick<LocalCopyOptions, 'notes' | 'redactor' | 'allowVariables'> {
  readonly dataFolder: string
  readonly folder: string
}

/** The copies of one folder. The code is loaded with the first command. */
export function createFolderCopies({ dataFolder, folder, ...options }: FolderCopies): CommandCopies {
  let loaded: Promise<CommandCopies> | undefined
  const load = (): Promise<CommandCopies> =>
    (loaded ??= import('../environment/copy/local-copies.ts').then(({ createLocalCommandCopies }) =>
      createLocalCommandCopies({ ...options, folder, layers: layersIn(dataFolder), hidden: [dataFolder] }),
    ))
  return {
    support: async () => (await load()).support(),
    run: async (command, run) => (await load()).run(command, run),
    confine: async (confine) => (await load()).confine(confine),
    parseKept: async (text) => (await load()).parseKept(text),
    apply: async (changeSet, bytesOf, only) => (await load()).apply(changeSet, bytesOf, only),
    cleanup: async () => (await loaded)?.cleanup(),
  }
}

export const recoverFolderCopies = (dataFolder: string): Promise<readonly Trouble[]> => recoverCopiesIn(layersIn(dataFolder))
