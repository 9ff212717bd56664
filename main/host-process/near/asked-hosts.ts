import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { BlockedHost, HostOptions } from '../../agent/ports/command-copies.ts'
import type { Channel } from '../wire/channel.ts'
import type { ToFar, ToNear } from '../wire/messages.ts'

/** Decides which hosts the program of one call may reach, until it is disposed. */
interface Decision extends Disposable {
  /** Call this with the id of the call before it is sent. */
  onId(id: number): void
  /** The refused hosts. */
  readonly blocked: readonly BlockedHost[]
}

/** Answers the questions of the far side about hosts that its programs want to reach. */
export interface AskedHosts {
  /** For a call that runs a program, or that creates a confinement for programs. Without `onHost`, every host is refused. */
  decide(onHost: HostOptions['onHost']): Decision
  /** Answers a question. If the decision for its call was disposed, the host is refused. */
  take(message: Extract<ToNear, { kind: 'host' }>): void
}

export function createAskedHosts(channel: Channel<ToFar>): AskedHosts {
  const deciders = new Map<number, (host: BlockedHost) => Promise<boolean>>()
  return {
    decide(onHost) {
      const blocked = new Map<string, BlockedHost>()
      const decide = async (asked: BlockedHost): Promise<boolean> => {
        const may = (await onHost?.(asked).catch(() => false)) ?? false
        if (!may) blocked.set(`${asked.host}:${asked.port}`, asked)
        return may
      }
      let call: number | null = null
      return {
        onId(id) {
          call = id
          deciders.set(id, decide)
        },
        get blocked() {
          return [...blocked.values()]
        },
        dispose: disposable(() => void (call !== null && deciders.delete(call))).dispose,
      }
    },
    take({ id, question, host }) {
      const decided = deciders.get(id)?.(host) ?? Promise.resolve(false)
      void decided.then((may) => channel.send({ kind: 'may', question, may }))
    },
  }
}
