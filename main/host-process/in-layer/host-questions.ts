import { disposable, type Disposable } from '../../../shared/lib/disposable.ts'
import type { BlockedHost } from '../../agent/ports/command-copies.ts'

type OnHost = (asked: BlockedHost) => Promise<boolean>

/** Decides about the hosts that programs in a layer want to reach. */
export interface HostQuestions {
  readonly onHost: OnHost
  /** From now on, nobody is asked about this port of the host. */
  allow(host: BlockedHost): void
  /** Until it is disposed, `onHost` decides, once for each host, unless somebody else comes later. */
  decide(onHost: OnHost): Disposable & { readonly blocked: readonly BlockedHost[] }
}

interface Decider {
  readonly onHost: OnHost
  readonly answers: Map<string, Promise<boolean>>
  readonly blocked: Map<string, BlockedHost>
}

/** `onWait`: called when the first question is asked, and when the last one is answered. */
export function createHostQuestions(onWait: (waits: boolean) => void): HostQuestions {
  const deciders: Decider[] = []
  const allowed = new Set<string>()
  let open = 0
  const wait = (by: 1 | -1): void => {
    const wasOpen = open > 0
    open += by
    if (wasOpen !== open > 0) onWait(open > 0)
  }
  const ask = async ({ onHost }: Decider, asked: BlockedHost): Promise<boolean> => {
    wait(1)
    try {
      return await onHost(asked)
    } catch {
      return false
    } finally {
      wait(-1)
    }
  }
  return {
    async onHost(asked) {
      const key = keyOf(asked)
      if (allowed.has(key)) return true
      const decider = deciders.at(-1)
      if (!decider) return false
      const answer = decider.answers.get(key) ?? ask(decider, asked)
      decider.answers.set(key, answer)
      const may = await answer
      if (!may) decider.blocked.set(key, asked)
      return may
    },
    allow: (host) => void allowed.add(keyOf(host)),
    decide(onHost) {
      const decider: Decider = { onHost, answers: new Map(), blocked: new Map() }
      deciders.push(decider)
      return {
        get blocked() {
          return [...decider.blocked.values()]
        },
        dispose: disposable(() => void deciders.splice(deciders.indexOf(decider), 1)).dispose,
      }
    },
  }
}

const keyOf = ({ host, port }: BlockedHost): string => `${host}:${port}`
