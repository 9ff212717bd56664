import type { SessionId } from '../../shared/lib/ids.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { machineUptime } from '../environment/process/find-processes.ts'

/** All processes that an agent starts inherit this variable, which holds the session id. */
export const AGENT_VARIABLE = 'COUNTERSIGN_AGENT'

/** Time limit in ms. Reading the processes of a layer takes some tens of milliseconds. */
const LIMIT_MS = 10_000

export interface LeftCommands {
  /** Call this before a turn. */
  begin(): void
  /**
   * Kills every process that the agent or its children have started since `begin`, because many agents leave commands running when a turn
   * is cancelled. If this fails, the processes end with the session.
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
 * Field 22 of `/proc/PID/stat`, the 20th after the name, is the start time. In a container, `/proc` has the process ids of the container,
 * and only the last one of `NSpid` is the id in the layer.
 */
const scriptFor = (sessionId: SessionId, since: number): string => `for process in /proc/[0-9]*; do
  grep -qz '^${AGENT_VARIABLE}=${sessionId}$' "$process/environ" 2>/dev/null || continue
  set -- $(sed 's/.*) //' "$process/stat" 2>/dev/null)
  [ "\${20:-0}" -ge ${since} ] && kill -9 "$(sed -n 's/^NSpid:.*\\t//p' "$process/status")"
done
true`
