import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Result } from '../lib/result.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/** A port of a program on the machine, or in the layer, in which a session works. */
export interface SessionPort {
  readonly port: number
  /** The name of the process that listens. Null if nothing listens on the port any more. */
  readonly program: string | null
  /** The address on this computer that leads to the port. Null if it is not forwarded. */
  readonly url: string | null
}

const onePort = z.object({ sessionId: SessionId, port: z.number().int().min(1).max(65_535) })

export const portsApi = {
  /** The ports on which the session's programs listen, and those that are forwarded. Sent at once and after each change. */
  watch: stream({ input: z.object({ sessionId: SessionId }), item: items<readonly SessionPort[]>() }),
  /** Forwards a port to this computer: from then on, connections to the address lead to it, until `stop` or until the session closes. */
  forward: command({ input: onePort, output: returns<Result<{ readonly url: string }, Trouble>>() }),
  stop: command({ input: onePort, output: returns<null>() }),
}
