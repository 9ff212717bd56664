import type { BlockedHost } from '../ports/command-copies.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { Copies } from '../dispatch/parts.ts'
import type { Commit } from '../dispatch/prepare.ts'
import { withWords } from '../tool-output.ts'

const CONFINED =
  'It runs confined to the project folder: it can write nothing else and no control files, it reaches only hosts that a rule allows, and its ports cannot be reached from outside.'

interface ConfinedParts {
  readonly copies: Copies
  /** Asked for each host while the command runs. Nobody is asked: the call may have ended long ago. */
  mayReach(host: BlockedHost): boolean
}

/** The same commit with its command confined to the folder for as long as it runs. */
export function confinedCommit(commit: Commit, parts: ConfinedParts): Commit {
  return async (run) => {
    const output = await commit({ ...run, env: confinedEnvironment(run.env, parts) })
    return withWords(output, CONFINED)
  }
}

function confinedEnvironment(env: ExecutionEnvironment, { copies, mayReach }: ConfinedParts): ExecutionEnvironment {
  const { commands, controlFiles } = copies
  return {
    ...env,
    async execCommand(command, options) {
      const confinement = await commands.confine({ readOnly: await controlFiles(), onHost: (host) => Promise.resolve(mayReach(host)) })
      try {
        return await env.execCommand(command, { ...options, confinement })
      } finally {
        await confinement.close()
      }
    },
  }
}
