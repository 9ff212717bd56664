import type { Lease, TurnLease } from '../../shared/session/settings/budget-lease.ts'
import type { SessionConfig } from '../../shared/session/settings/session-config.ts'
import type { TurnLimits } from '../agent/loop.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Host } from '../host.ts'
import type { ServerDraft } from '../mcp/server-entries.ts'
import type { ConnectBy } from '../places/programs.ts'
import type { MayInstall } from '../places/reach.ts'
import type { TrustedThere } from '../rules/project-rules.ts'
import type { SandboxUse } from './sandbox-use.ts'
import type { ToolChanges } from './tool-sets.ts'

/** What an app is made of, and how this run differs from the settings. */
export interface AppParts {
  readonly host: Host
  /** The real path of an existing folder. */
  readonly dataFolder: string
  readonly version: string
  /** The folder to open first. Null if none. */
  readonly openFolder: string | null
  /**
   * Whether a window can watch the agent's commands. If so, commands run in terminals, and the user is asked whether to end commands that a
   * crash left running.
   */
  readonly watched: boolean
  /**
   * Whether somebody answers the agent's questions. If nobody does, their default answers are used. Default: only if sessions are watched.
   */
  readonly takesQuestions?: boolean
  /** Whether somebody can sign during this run. If false, the prompt says that nobody can. Default: true. */
  readonly attended?: boolean
  /** Whether commands run in terminals even if nobody can watch (`--pty`). */
  readonly inTerminals?: boolean
  /** What to do if the store cannot be opened: work in memory and show that nothing is saved, or fail. */
  readonly whenUnsaved: 'go_on' | 'fail'
  /** Overrides for the limits in the settings. */
  readonly limits?: Partial<TurnLimits>
  /** Overrides for the configuration of every session of this run. */
  readonly session?: SessionConfig
  /** Overrides for the session budget in the settings. */
  readonly lease?: Partial<Lease>
  /** Overrides for the turn budget in the settings. */
  readonly turnLease?: Partial<TurnLease>
  /**
   * Overrides the idle limit in the settings: how long an answer may send nothing before Countersign gives up on it, in ms
   * (`--idle-limit`).
   */
  readonly idleLimitMs?: number
  /** Milliseconds between two pieces of a rehearsal's answers. Default: reading speed. */
  readonly rehearsalPaceMs?: number
  /** Reads the licenses of all packages in the app. If left out, none can be shown. */
  readonly licenses?: () => Promise<string | null>
  /** A folder that is trusted only for this run. */
  readonly trusted?: string | null
  /** A folder of another machine that is trusted only for this run. It is known only after the machine has been reached. */
  readonly trustedThere?: () => TrustedThere | null
  /** Tools that an embedding program adds, replaces or removes. Read for each request. */
  readonly tools?: () => ToolChanges
  /** MCP servers that another program, such as an editor, passes on for this run. Read each time the servers of a folder are read. */
  readonly givenServers?: () => readonly ServerDraft[]
  /** Variables passed to commands although they look like secrets, in addition to those in the settings. */
  readonly allowVariables?: readonly string[]
  /** Whether commands run in copies of the folder. Default: they do if the machine can make copies. */
  readonly sandbox?: SandboxUse
  /** Decides whether Countersign's code may be copied to another machine if no window can ask the user. Default: it may not. */
  readonly mayInstall?: MayInstall
  /** How other machines are reached. Default: by `ssh`, `docker`, `podman` and `kubectl`. */
  readonly connectBy?: ConnectBy
  /** Replaces the local environment of each opened folder. Default: the local one. */
  readonly environment?: {
    over(local: ExecutionEnvironment): ExecutionEnvironment
    /** Whether commands run elsewhere at the moment. */
    isReplaced(): boolean
  }
}
