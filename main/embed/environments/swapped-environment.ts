import type * as ports from '../../agent/ports/execution-environment.ts'
import { badOption } from '../agent-error.ts'
import type { HostEnvironment } from './environment-types.ts'
import { hostEnvironment } from './specified-environment.ts'

/** The agent's environment, which the host may replace at run time. */
export interface SwappedEnvironment {
  /** Returns the environment for a folder: the host's if there is one, otherwise `local`. */
  over(local: ports.ExecutionEnvironment): ports.ExecutionEnvironment
  /** Whether the host's environment is in use. */
  isReplaced(): boolean
  /**
   * If null, this machine is used again. The working directory of the host's environment must be the agent's folder, because sessions are
   * bound to it.
   */
  swap(host: HostEnvironment | null): Promise<void>
  /** Calls `cleanup` once for each environment that the host passed. */
  cleanup(): Promise<void>
}

export function createSwappedEnvironment(folder: string): SwappedEnvironment {
  const used = new Map<HostEnvironment, Promise<void>>()
  let host: ports.ExecutionEnvironment | null = null
  return {
    over: (local) => delegating(local, () => host),
    isReplaced: () => host !== null,
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
      // Workspaces of the app must not initialize or clean up the host's environment, because this is done once for all of them.
      const nothing = (): Promise<void> => Promise.resolve()
      host = { ...env, initialize: nothing, cleanup: nothing }
    },
    cleanup: async () => void (await Promise.all([...used.keys()].map((one) => one.cleanup()))),
  }
}

/**
 * Looks up each member when it is called, so that a swap takes effect with the next call. `cleanup` is always the local environment's.
 */
function delegating(local: ports.ExecutionEnvironment, host: () => ports.ExecutionEnvironment | null): ports.ExecutionEnvironment {
  return new Proxy(local, {
    get: (_, name: keyof ports.ExecutionEnvironment) => (name === 'cleanup' ? local.cleanup : (host() ?? local)[name]),
  })
}
