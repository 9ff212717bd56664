import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Policy } from '../agent/ports/policy.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import type { WriteLock } from './write-lock.ts'

/** One real folder and all that its sessions share. */
export interface Workspace extends WriteLock {
  /** Real path. */
  readonly folder: string
  readonly environment: ExecutionEnvironment
  readonly policy: Policy
  /** Where a path lies, for the policy (C9). */
  place(path: string): Promise<PathFacts>
  /** Whether a command line may destroy what cannot be brought back; `cwd` is a real path. */
  isDestructive(command: string, cwd: string): boolean
  /** Gives it back; with the last one that has it open its processes end. A second time does nothing. */
  close(): Promise<void>
}
