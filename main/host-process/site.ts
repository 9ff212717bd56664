import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { FolderComparison } from '../agent/ports/folder-comparison.ts'
import type { CommandsInLayer, Layers } from '../agent/ports/layers.ts'

/** A folder, or a layer over it, as sessions use it. A host process serves a folder and its layers. */
export interface Site {
  readonly environment: ExecutionEnvironment
  readonly comparison: FolderComparison
  /** Null if commands only run for real. */
  readonly copies: CommandCopies | null
  /** Null if no layers can be made. */
  readonly layers: Layers | null
  /** Null in a folder, and in a layer whose commands run in copies. */
  readonly inside: CommandsInLayer | null
}
