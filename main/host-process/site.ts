import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { FolderComparison } from '../agent/ports/folder-comparison.ts'
import type { CommandsInLayer, Layers } from '../agent/ports/layers.ts'

/** What sessions work with at one path: a folder, or a layer over it. A host process serves a folder and its layers. */
export interface Site {
  readonly environment: ExecutionEnvironment
  readonly comparison: FolderComparison
  /** Null if commands only run for real. */
  readonly copies: CommandCopies | null
  /** Null if there can be no layers. */
  readonly layers: Layers | null
  /** Null in a folder, and in a layer whose commands run in copies. */
  readonly inside: CommandsInLayer | null
}
