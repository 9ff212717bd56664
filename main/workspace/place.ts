import type { Place } from '../../shared/places/address.ts'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { FolderComparison } from '../agent/ports/folder-comparison.ts'
import type { Layers } from '../agent/ports/layers.ts'

/** Access to the folders of one place: this computer, or a machine that is connected to it. Folders are given by their path at the place. */
export interface PlaceWork {
  /** Makes the environment of a folder. Accesses nothing until the environment is used. */
  createEnvironment(folder: string): ExecutionEnvironment
  /** Called with the real path of each folder before it is used as a project. Inspected folders are not passed. */
  onOpen?(folder: string): void
  /** Makes the copies in which a folder's commands run. If absent, all commands run for real. */
  createCopies?(folder: string): CommandCopies
  /** Makes the layers in which sessions work beside the folder. If absent, all of them work in the folder itself. */
  readonly own?: LayerWork
  /** Makes the comparison of a folder before and after a command that runs for real. If absent, nothing is compared. */
  createComparison?(folder: string): FolderComparison
  /** The PATH of commands. If absent, nothing is known about it. */
  commandPath?(): string | undefined
  /** The folder that `~` stands for. */
  readonly home: string
  /** Real paths of our own folders (data, settings). Writing there needs a signature in every mode. */
  readonly ownFolders: readonly string[]
}

/** Another machine or a container. */
export interface FarPlace extends PlaceWork {
  readonly place: Place
}

/** The layers of all folders. */
export interface LayerWork {
  /** The layers over a folder, given by its real path. Accesses nothing. */
  layersOf(folder: string): Layers
  /** Ends everything that runs in layers. */
  close(): Promise<void>
}
