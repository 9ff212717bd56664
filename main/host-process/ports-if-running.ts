import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { ProgramPorts } from '../agent/ports/opened-program.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'

/**
 * The ports of programs in something that may not run. `running`: its environment, null if it does not run. `own`: ports that are opened in
 * it on our behalf, which are not listed.
 */
export function portsIfRunning(running: () => Promise<ExecutionEnvironment> | null, own: ReadonlySet<number> = new Set()): ProgramPorts {
  const ports = async (): Promise<ProgramPorts | null> => (await running()?.catch(() => null))?.ports ?? null
  return {
    async listening() {
      const found = (await (await ports())?.listening()) ?? []
      return found.filter(({ port }) => !own.has(port))
    },
    async dial(port, signal) {
      const reached = await ports()
      if (reached) return reached.dial(port, signal)
      throw new EnvironmentFailure('ECONNREFUSED', `Nothing runs there that listens on port ${port} (ECONNREFUSED).`)
    },
  }
}
