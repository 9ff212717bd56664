import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { BlockedHost, HostOptions } from '../../agent/ports/command-copies.ts'
import type { Channel } from '../wire/channel.ts'
import type { ToFar, ToNear } from '../wire/messages.ts'

/** Decides about hosts for one call of the far side, until it is disposed. */
interface Decision extends Disposable {
  /** The hosts that were refused. */
  readonly blocked: readonly BlockedHost[]
}

/** Answers the questions of the far side about hosts that its programs want to reach. */
export interface AskedHosts {
  /** `id`: the call that runs the program, or made what it runs in. Without `onHost`, every host is refused. */
  decide(id: number, onHost: HostOptions['onHost']): Decision
  /** A question about a call for which nobody decides any more is answered with no. */
  take(message: Extract<ToNear, { kind: 'host' }>): void
}

export function createAskedHosts(channel: Channel<ToFar>): AskedHosts {
  const deciders = new Map<number, (host: BlockedHost) => Promise<boolean>>()
  return {
    decide(id, onHost) {
      const blocked = new Map<string, BlockedHost>()
      const decide = async (asked: BlockedHost): Promise<boolean> => {
        const may = (await onHost?.(asked).catch(() => false)) ?? false
        if (!may) blocked.set(`${asked.host}:${asked.port}`, asked)
        return may
      }
      deciders.set(id, decide)
      return {
        get blocked() {
          return [...blocked.values()]
        },
        dispose: disposable(() => deciders.delete(id)).dispose,
      }
    },
    take({ id, question, host }) {
      const decided = deciders.get(id)?.(host) ?? Promise.resolve(false)
      void decided.then((may) => channel.send({ kind: 'may', question, may }))
    },
  }
}
