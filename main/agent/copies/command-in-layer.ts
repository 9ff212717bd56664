import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { Commit } from '../dispatch/prepare.ts'
import type { BlockedHost } from '../ports/command-copies.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { CommandsInLayer } from '../ports/layers.ts'
import { withWords } from '../tool-output.ts'
import type { HostRequests } from './host-requests.ts'

interface LayerParts {
  readonly begin: CommandsInLayer['begin']
  /** Decides about a host without asking the user. */
  mayReach(host: BlockedHost): boolean
  /** Begins the requests of one command. */
  requests(): Pick<HostRequests, 'onHost' | 'close'>
}

/**
 * Wraps `commit` so that the user is asked about the hosts that its command wants to reach. For a command in the background only the rules
 * decide, because it may still run long after its call has ended.
 */
export function commandInLayer(commit: Commit, { way }: CommandEffect, { begin, mayReach, requests }: LayerParts): Commit {
  if (way === 'background') return (run) => commit({ ...run, env: inBackground(run.env, begin, mayReach) })
  return async (run) => {
    const hosts = requests()
    const begun = await begin(hosts.onHost)
    try {
      const output = await commit(run)
      return begun.blocked.length === 0 ? output : withWords(output, blockedWords(begun.blocked))
    } finally {
      begun.dispose()
      await hosts.close()
    }
  }
}

function inBackground(env: ExecutionEnvironment, begin: LayerParts['begin'], mayReach: LayerParts['mayReach']): ExecutionEnvironment {
  return {
    ...env,
    async execCommand(command, options) {
      const begun = await begin((host) => Promise.resolve(mayReach(host)))
      try {
        return await env.execCommand(command, options)
      } finally {
        begun.dispose()
      }
    },
  }
}

function blockedWords(blocked: readonly BlockedHost[]): string {
  const places = blocked.map(({ host, port }) => `${host}:${port}`).join(', ')
  return `The command could not reach ${places}: commands can reach only the hosts that the user allows.`
}
