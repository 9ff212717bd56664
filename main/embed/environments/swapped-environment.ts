import type * as ports from '../../agent/ports/execution-environment.ts'
import { badOption } from '../agent-error.ts'
import type { HostEnvironment } from './environment-types.ts'
import { hostEnvironment } from './host-environment.ts'

/** The environment that an agent works in, which its host may swap while it runs. */
export interface SwappedEnvironment {
  /** What the app works with in a folder: the host's environment, or else `local`. */
  over(local: ports.ExecutionEnvironment): ports.ExecutionEnvironment
  /** Null: this machine again. Must stand in the agent's folder, to which sessions and paths are bound. */
  swap(host: HostEnvironment | null): Promise<void>
  /** `cleanup` of every environment that the host gave, once each. */
  cleanup(): Promise<void>
}

export function createSwappedEnvironment(folder: string): SwappedEnvironment {
  const used = new Map<HostEnvironment, Promise<void>>()
  let host: ports.ExecutionEnvironment | null = null
  return {
    over: (local) => delegating(local, () => host),
    async swap(next) {
      if (next === null) {
        host = null
        return
      }
      const env = hostEnvironment(next)
      if (env.workingDirectory() !== folder)
        throw badOption(
          `The environment works in ${env.workingDirectory()}, the agent in ${folder}.`,
          'Give an environment whose workingDirectory() is the agent’s folder.',
        )
      const ready = used.get(next) ?? env.initialize()
      used.set(next, ready)
      await ready
      // It belongs to the host: what the app does at its own beginning and end must not begin and end it.
      const nothing = (): Promise<void> => Promise.resolve()
      host = { ...env, initialize: nothing, cleanup: nothing }
    },
    cleanup: async () => void (await Promise.all([...used.keys()].map((one) => one.cleanup()))),
  }
}

/** Each member is looked up when it is called, so that a swap counts from the next call on. What is cleaned up is always one's own. */
function delegating(local: ports.ExecutionEnvironment, host: () => ports.ExecutionEnvironment | null): ports.ExecutionEnvironment {
  return new Proxy(local, {
    get: (_, name: keyof ports.ExecutionEnvironment) => (name === 'cleanup' ? local.cleanup : (host() ?? local)[name]),
  })
}
