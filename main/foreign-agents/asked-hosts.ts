import type { AskedHost } from '../../shared/session/effects.ts'
import type { BlockedHost } from '../agent/ports/command-copies.ts'

/** The hosts that programs in the layer of an agent asked for, as its proxy saw them. */
export interface AskedHosts {
  note(asked: BlockedHost, answer: AskedHost['answer']): void
  /** Call this before a turn. */
  begin(): void
  /** Forgets the hosts that were asked for since `begin`. Keeps those of stopped turns and those between turns. */
  forget(): void
  /** Whether any host since the last `take` is not one of the agent's own. */
  hasOthers(): boolean
  /** Each host that was asked for since the last call, once. */
  take(): readonly AskedHost[]
}

export function createAskedHosts(): AskedHosts {
  let hosts = new Map<string, AskedHost>()
  /** The hosts before the last `begin`. */
  let earlier: ReadonlyMap<string, AskedHost> = new Map()
  return {
    note({ host, port }, answer) {
      const place = `${host}:${port}`
      hosts.set(JSON.stringify([place, answer]), { host: place, answer })
    },
    begin: () => void (earlier = new Map(hosts)),
    forget: () => void (hosts = new Map(earlier)),
    hasOthers: () => [...hosts.values()].some(({ answer }) => answer !== 'own'),
    take() {
      const taken = [...hosts.values()]
      hosts = new Map()
      earlier = new Map()
      return taken
    },
  }
}
