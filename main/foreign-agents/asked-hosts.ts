import type { AskedHost } from '../../shared/session/effects.ts'
import type { BlockedHost } from '../agent/ports/command-copies.ts'

/** The hosts that programs in the layer of an agent asked for, as its proxy saw them. */
export interface AskedHosts {
  note(asked: BlockedHost, answer: AskedHost['answer']): void
  /** Whether a host was asked for since the last call that is not one of the agent's own. */
  hasOthers(): boolean
  /** Each host that was asked for since the last call, once. */
  take(): readonly AskedHost[]
}

export function createAskedHosts(): AskedHosts {
  let hosts = new Map<string, AskedHost>()
  return {
    note({ host, port }, answer) {
      const place = `${host}:${port}`
      hosts.set(JSON.stringify([place, answer]), { host: place, answer })
    },
    hasOthers: () => [...hosts.values()].some(({ answer }) => answer !== 'own'),
    take() {
      const taken = [...hosts.values()]
      hosts = new Map()
      return taken
    },
  }
}
