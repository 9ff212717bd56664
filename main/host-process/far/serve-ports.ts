import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { ProgramPorts } from '../../agent/ports/opened-program.ts'
import type { PORT_METHODS } from '../wire/port-methods.ts'
import type { ServedMethods, ServedSite } from './served-call.ts'

export function portsOf({ environment }: ServedSite): Pick<ServedMethods, keyof typeof PORT_METHODS> {
  const ports = (): ProgramPorts => {
    if (environment.ports) return environment.ports
    throw new EnvironmentFailure('ENOTSUP', 'Ports cannot be reached here (ENOTSUP).')
  }
  return {
    listeningPorts: async () => [...(await ports().listening())],
    async dialPort({ port }, { signal, program }) {
      await program(await ports().dial(port, signal))
      return null
    },
  }
}
