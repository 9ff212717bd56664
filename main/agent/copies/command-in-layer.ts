import type { CommandEffect } from '../../../shared/session/effects.ts'
import { ShellDetails } from '../../../shared/tools/built-in/shell.ts'
import type { Commit } from '../dispatch/prepare.ts'
import type { BlockedHost } from '../ports/command-copies.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { CommandsInLayer } from '../ports/layers.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { withWords } from '../tool-output.ts'
import type { HostRequests } from './host-requests.ts'

interface LayerParts {
  readonly inLayer: Pick<CommandsInLayer, 'begin' | 'takeEnded' | 'whyFailed' | 'forward'>
  /** Decides about a host without asking the user. */
  mayReach(host: BlockedHost): boolean
  /** Begins the requests of one command. */
  requests(): Pick<HostRequests, 'onHost' | 'onLocalPort' | 'close'>
}

/**
 * Wraps `commit` so that the user is asked about the hosts that its command wants to reach. For a command in the background only the rules
 * decide, because it may still run long after its call has ended.
 */
export function commandInLayer(commit: Commit, { way, cwd }: CommandEffect, { inLayer, mayReach, requests }: LayerParts): Commit {
  if (way === 'background') return (run) => commit({ ...run, env: inBackground(run.env, inLayer.begin, mayReach) })
  return async (run) => {
    const hosts = requests()
    const begun = await inLayer.begin(hosts.onHost)
    try {
      const output = await commit(run)
      const words = [
        ...endedWords(inLayer.takeEnded()),
        ...blockedWords(begun.blocked),
        ...(await failedWords(output, { blocked: begun.blocked, cwd }, inLayer, hosts)),
      ]
      return words.length === 0 ? output : withWords(output, words.join(' '))
    } finally {
      begun.dispose()
      await hosts.close()
    }
  }
}

function inBackground(env: ExecutionEnvironment, begin: CommandsInLayer['begin'], mayReach: LayerParts['mayReach']): ExecutionEnvironment {
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

function endedWords(ended: readonly string[]): readonly string[] {
  if (ended.length === 0) return []
  return [
    `The rules for programs in this layer have changed, so these were ended before the command began: ${ended.join('; ')}. MCP servers start again when they are used. Start the others again if they are still needed.`,
  ]
}

function blockedWords(blocked: readonly BlockedHost[]): readonly string[] {
  if (blocked.length === 0) return []
  const places = blocked.map(({ host, port }) => `${host}:${port}`).join(', ')
  return [`The command could not reach ${places}: commands can reach only the hosts that the user allows.`]
}

/** Says what the layer has to do with a failure. Asks the user about a port of this machine that the command needs. */
async function failedWords(
  output: ToolOutput,
  command: { readonly blocked: readonly BlockedHost[]; readonly cwd: string },
  inLayer: Pick<CommandsInLayer, 'whyFailed' | 'forward'>,
  hosts: Pick<HostRequests, 'onLocalPort'>,
): Promise<readonly string[]> {
  const { data: ended } = ShellDetails.safeParse(output.details)
  if (!output.isError || !ended || ended.timedOut || typeof output.output !== 'string') return []
  const { why, port } = await inLayer.whyFailed({ exitCode: ended.exitCode, text: output.output.slice(-END_CHARS), ...command })
  if (why !== null) return [why]
  if (port === null) return []
  if (!(await hosts.onLocalPort(port))) return [`The command could not reach localhost:${port}, because the user did not allow it.`]
  await inLayer.forward(port)
  return [`From now on, commands reach localhost:${port}. Run the command again.`]
}

/** Number of characters at the end of an output that say why a command failed. */
const END_CHARS = 8_000
