import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { Copies } from './parts.ts'
import type { Commit } from './prepare.ts'
import { withWords } from './execute.ts'

const CONFINED =
  'It runs confined to the project folder: it can write nothing else and no control files, it has no network, and its ports cannot be reached from outside.'

/** The same commit with its command confined to the folder for as long as it runs. */
export function confinedCommit(commit: Commit, copies: Copies): Commit {
  return async (run) => {
    const output = await commit({ ...run, env: confinedEnvironment(run.env, copies) })
    return withWords(output, CONFINED)
  }
}

function confinedEnvironment(env: ExecutionEnvironment, { commands, controlFiles }: Copies): ExecutionEnvironment {
  return {
    ...env,
    async execCommand(command, options) {
      const confinement = await commands.confine({ readOnly: await controlFiles() })
      try {
        return await env.execCommand(command, { ...options, confinement })
      } finally {
        await confinement.close()
      }
    },
  }
}
