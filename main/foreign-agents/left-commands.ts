import type { SessionId } from '../../shared/lib/ids.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { machineUptime } from '../environment/process/find-processes.ts'

/** All processes that an agent starts inherit this variable, which holds the session id. */
export const AGENT_VARIABLE = 'COUNTERSIGN_AGENT'

/** Time limit in ms. Reading the processes of a layer takes some tens of milliseconds. */
const LIMIT_MS = 10_000

export interface LeftCommands {
  /** Call this before a turn, and when the agent has been started in a turn. */
  begin(): void
  /**
   * Kills the commands that the agent or its children have started since `begin`, because many agents leave commands running when a turn is
   * cancelled. The agent's own servers go on, unless they run in a shell with a command line. If this fails, the processes end with the session.
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
 * Programs that the agent talks to through their standard input, such as MCP servers and language servers, do not count as commands, and
 * neither does anything they have started. A shell with a command line (`sh -c`) always counts, because many agents give it an input that
 * they never use. In `/proc/PID/stat`, the 2nd field after the name is the parent and the 20th is the start time.
 * In a container, `/proc` has the process ids of the container, and only the last one of `NSpid` is the id in the layer. Nothing is killed
 * before all are found, because the children of a killed process get another parent.
 */
const scriptFor = (sessionId: SessionId, since: number): string => `fields() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null; }
parent() { set -- $(fields "$1"); echo "$2"; }
isNew() {
  grep -qz '^${AGENT_VARIABLE}=${sessionId}$' "/proc/$1/environ" 2>/dev/null || return 1
  set -- $(fields "$1")
  [ "\${20:-0}" -ge ${since} ]
}
isShell() {
  set -f
  set -- $(head -c 200 "/proc/$1/cmdline" 2>/dev/null | tr '\\0' ' ')
  set +f
  case "\${1##*/}" in sh|bash|dash|ash|zsh|ksh|fish) ;; *) return 1 ;; esac
  for option in "\${2-}" "\${3-}" "\${4-}"; do
    case "$option" in --*) ;; -*c) return 0 ;; -*) ;; *) return 1 ;; esac
  done
  return 1
}
left=
for entry in /proc/[0-9]*; do
  process=\${entry#/proc/}
  isNew "$process" || continue
  first=$process
  while above=$(parent "$first"); isNew "$above"; do first=$above; done
  case $(readlink "/proc/$first/fd/0") in pipe:*|socket:*) isShell "$first" || continue ;; esac
  left="$left $(sed -n 's/^NSpid:.*\\t//p' "$entry/status")"
done
[ -z "$left" ] || kill -9 $left
true`
