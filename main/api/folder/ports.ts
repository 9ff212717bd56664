import type { AppHandlers } from '../../../shared/api/contract.ts'
import type { SessionPort } from '../../../shared/places/ports-api.ts'
import type { Forwards } from '../../forwarding/forwards.ts'
import { latestValue } from '../latest-value.ts'

const isSame = (last: readonly SessionPort[], next: readonly SessionPort[]): boolean => JSON.stringify(last) === JSON.stringify(next)

/** The ports of a session's programs. */
export function portsHandlers(forwards: Forwards): AppHandlers['ports'] {
  return {
    watch: ({ sessionId }, { signal }) => latestValue(() => forwards.list(sessionId), forwards.onChange, signal, isSame),
    forward: ({ sessionId, port }) => forwards.forward(sessionId, port),
    async stop({ sessionId, port }) {
      await forwards.stop(sessionId, port)
      return null
    },
  }
}
