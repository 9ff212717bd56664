import { disposable, type Disposable } from '../../../shared/lib/disposable.ts'
import type { BlockedHost } from '../../agent/ports/command-copies.ts'

type OnHost = (asked: BlockedHost) => Promise<boolean>

/** Decides about the hosts that programs in a layer want to reach. */
export interface HostQuestions {
  readonly onHost: OnHost
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
      const decider = deciders.at(-1)
      if (!decider) return false
      const key = `${asked.host}:${asked.port}`
      const answer = decider.answers.get(key) ?? ask(decider, asked)
      decider.answers.set(key, answer)
      const may = await answer
      if (!may) decider.blocked.set(key, asked)
      return may
    },
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
