import type { SessionId } from '../../shared/lib/ids.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { machineUptime } from '../environment/process/find-processes.ts'

/** Everything that an agent starts inherits this variable, with the id of the session. */
export const AGENT_VARIABLE = 'COUNTERSIGN_AGENT'

/** Time limit in ms. Reading the processes of a layer takes some tens of milliseconds. */
const LIMIT_MS = 10_000

export interface LeftCommands {
  /** Call this before a turn. */
  begin(): void
  /**
   * Ends what the agent, or a program of it, has started since `begin` and that still runs: many agents leave the command of a cancelled
   * turn running. If that fails, it ends with the session.
   */
  end(): Promise<void>
}

/** `env`: the layer in which the agent of the session runs. Processes outside the layer cannot be ended from there. */
export function createLeftCommands(env: Pick<ExecutionEnvironment, 'execCommand'>, sessionId: SessionId): LeftCommands {
  /** See `machineUptime`. */
  let since: number | null = null
  return {
    begin() {
      since = machineUptime()
    },
    async end() {
      if (since !== null) await env.execCommand(scriptFor(sessionId, since), { timeoutMs: LIMIT_MS }).catch(() => {})
    },
  }
}

/**
 * Field 22 of `/proc/PID/stat`, the 20th after the name, is the start time. In a container, `/proc` has the process ids of the container, and
 * only the last one of `NSpid` is the id in the layer.
 */
const scriptFor = (sessionId: SessionId, since: number): string => `for process in /proc/[0-9]*; do
  grep -qz '^${AGENT_VARIABLE}=${sessionId}$' "$process/environ" 2>/dev/null || continue
  set -- $(sed 's/.*) //' "$process/stat" 2>/dev/null)
  [ "\${20:-0}" -ge ${since} ] && kill -9 "$(sed -n 's/^NSpid:.*\\t//p' "$process/status")"
done
true`
