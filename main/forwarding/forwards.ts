import type { SessionPort } from '../../shared/places/ports-api.ts'
import { disposable, type Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ListeningPort, ProgramPorts } from '../agent/ports/opened-program.ts'
import { type Forward, forwardPort } from './forward-port.ts'

/** The ports of programs that run for sessions elsewhere, and those that the user has forwarded to this computer. */
export interface Forwards {
  list(sessionId: SessionId): Promise<readonly SessionPort[]>
  /** Calls the listener after each change by the user, and regularly, because programs do not say that they listen. */
  onChange(listener: () => void): Disposable
  forward(sessionId: SessionId, port: number): Promise<Result<{ readonly url: string }, Trouble>>
  stop(sessionId: SessionId, port: number): Promise<void>
  close(): Promise<void>
}

/** Time between two looks at the ports in ms. */
const LOOK_MS = 2_000

/** The most ports that can be forwarded at the same time. */
const MAX_FORWARDS = 50

interface Forwarded {
  readonly sessionId: SessionId
  readonly port: number
  readonly forward: Forward
}

/**
 * `portsOf`: the ports of the place in which the programs of a session run. Null if nothing is open there, or if it is this computer's own
 * network, in which nothing needs to be forwarded. A forwarded port is closed when this becomes null.
 */
export function createForwards(portsOf: (sessionId: SessionId) => ProgramPorts | null): Forwards {
  const forwarded = new Map<string, Forwarded>()
  const changed = new Emitter<void>()
  const closeWhere = async (isOver: (one: Forwarded) => boolean): Promise<void> => {
    const over = [...forwarded].filter(([, one]) => isOver(one))
    for (const [key] of over) forwarded.delete(key)
    if (over.length > 0) changed.fire()
    await Promise.all(over.map(([, { forward }]) => forward.close()))
  }
  const timer = setInterval(() => void closeWhere(({ sessionId }) => portsOf(sessionId) === null), LOOK_MS).unref()
  return {
    async list(sessionId) {
      const listening =
        (await portsOf(sessionId)
          ?.listening()
          .catch(() => [])) ?? []
      const own = [...forwarded.values()].filter((one) => one.sessionId === sessionId)
      return portsOfSession(listening, own)
    },
    onChange(listener) {
      const looking = setInterval(listener, LOOK_MS).unref()
      const subscription = changed.event(listener)
      return disposable(() => {
        clearInterval(looking)
        subscription.dispose()
      })
    },
    async forward(sessionId, port) {
      const key = keyOf(sessionId, port)
      const known = forwarded.get(key)
      if (known) return ok({ url: urlOf(known.forward) })
      if (portsOf(sessionId) === null) return failed(nothingRuns(port))
      if (forwarded.size >= MAX_FORWARDS) return failed(TOO_MANY)
      const forward = await forwardPort(port, () => portsOf(sessionId))
      forwarded.set(key, { sessionId, port, forward })
      changed.fire()
      return ok({ url: urlOf(forward) })
    },
    stop: (sessionId, port) => closeWhere((one) => one.sessionId === sessionId && one.port === port),
    async close() {
      clearInterval(timer)
      await closeWhere(() => true)
    },
  }
}

const keyOf = (sessionId: SessionId, port: number): string => `${sessionId} ${port}`

const urlOf = ({ here }: Forward): string => `http://127.0.0.1:${here}/`

function portsOfSession(listening: readonly ListeningPort[], own: readonly Forwarded[]): readonly SessionPort[] {
  const urls = new Map(own.map(({ port, forward }) => [port, urlOf(forward)]))
  const programs = new Map(listening.map(({ port, program }) => [port, program]))
  const all = [...new Set([...programs.keys(), ...urls.keys()])].toSorted((a, b) => a - b)
  return all.map((port) => ({ port, program: programs.get(port) ?? null, url: urls.get(port) ?? null }))
}

const nothingRuns = (port: number): Trouble => ({
  code: 'port_not_forwarded',
  what: `Port ${port} was not forwarded, because no program of this session runs there any more.`,
  kept: 'Nothing was opened on this computer.',
  todo: 'Start the program again, then try again.',
})

const TOO_MANY: Trouble = {
  code: 'port_not_forwarded',
  what: `The port was not forwarded, because ${MAX_FORWARDS} ports are forwarded already.`,
  kept: 'The other ports stay forwarded.',
  todo: 'Stop one of them in the Terminal tab.',
}
