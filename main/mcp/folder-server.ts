import type { ChangedScript, ScriptHashes } from '../../shared/api/changed-scripts.ts'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Tool } from '../agent/ports/tool.ts'
import type { ConnectTarget, ServerSecrets } from './connection.ts'
import type { McpServer, RunningStatus } from './server.ts'
import type { ServerOrigin } from './server-choices.ts'
import type { ServerDraft } from './server-entries.ts'
import type { ServerSignIn } from './server-sign-in.ts'

/** Time limit for one call in ms, unless the server's entry sets another. The time starts again with each progress report. */
export const CALL_MS = 60_000

/** How programs run in a layer over the folder: in the layer itself, or in copies of it. */
export type ServerLayer =
  | { readonly kind: 'inside'; readonly environment: ExecutionEnvironment }
  | { readonly kind: 'copies'; readonly copies: CommandCopies }

/** A server of an open folder. */
export interface FolderServer extends ServerDraft {
  readonly folder: string
  readonly origin: ServerOrigin
  /** Its key in the user's decisions. */
  readonly key: string
  /** Hash of its entry. */
  readonly hash: string
  readonly server: McpServer
  readonly signing: ServerSignIn
  readonly secrets: ServerSecrets
  /** Names of the variables that had a stored value when the server was last started. */
  storedNames: ReadonlySet<string>
  /** The files that prevented the last start, because they changed since the user trusted them. */
  changed: readonly ChangedScript[]
  /** The files of the folder that the server names, at the last start. Null before it, and if the server is not a program. */
  scripts: ScriptHashes | null
  target(): Promise<ConnectTarget>
  /** The same for a start in a layer over the folder. */
  targetIn(layer: ServerLayer): Promise<ConnectTarget>
}

/** A tool of one server, as the model calls it. */
export interface ServerTool {
  readonly server: string
  readonly tool: Tool
}

export interface OpenFolder {
  readonly servers: readonly FolderServer[]
  readonly problems: readonly string[]
  /** Null if the list must be built again. */
  tools: readonly ServerTool[] | null
}

/** What a running server offers. Null if the server does not run. */
export function runningStatus({ server }: FolderServer): RunningStatus | null {
  const status = server.status()
  return status.kind === 'running' ? status : null
}
