import type { Disposable } from '../../shared/lib/disposable.ts'
import type { BlockedHost, TrafficWatch } from '../agent/ports/command-copies.ts'
import type { CommandsInLayer } from '../agent/ports/layers.ts'
import { isLocalhost } from '../../shared/lib/local-hosts.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { type AskedHosts, createAskedHosts } from './asked-hosts.ts'
import type { AgentStep } from './agent-steps.ts'
import { type ChangesSinceLastStep, changesSinceLastStep } from './changes-since-last-step.ts'
import type { KnownAgent } from './known-agents.ts'

/** The layer in which a third-party agent works. */
export interface ForeignPlace extends Workspace {
  readonly inside: CommandsInLayer & { watch(traffic: TrafficWatch): Disposable }
  readonly comparison: ChangesSinceLastStep<AgentStep>
  /**
   * From now on, the agent reaches its own hosts, even between its steps. If the rules for programs have changed, this ends a running agent,
   * which has to be started again.
   */
  openHosts(): Promise<void>
  readonly asked: AskedHosts
  /** Whether the host is one of the agent's own, such as its model's. */
  isOwn(host: BlockedHost): boolean
}

/**
 * Null if the agent cannot be confined to the layer, because programs do not run in the layer itself. Also null for a layer on another
 * machine, because the agent's requests cannot be followed there.
 */
export function foreignPlace(workspace: Workspace, agent: KnownAgent): ForeignPlace | null {
  const { inside } = workspace
  const watch = inside?.watch
  if (inside === null || watch === undefined) return null
  const isOwn = ({ host, port }: BlockedHost): boolean =>
    agent.hosts.some((pattern) => fitsHost(pattern, host)) || (isLocalhost(host) && agent.ports.includes(port))
  const asked = createAskedHosts()
  const decided = async (host: BlockedHost, may: () => boolean | Promise<boolean>): Promise<boolean> => {
    const answer = isOwn(host) ? 'own' : (await may()) ? 'allowed' : 'refused'
    asked.note(host, answer)
    return answer !== 'refused'
  }
  let own: Disposable | null = null
  const openHosts = async (): Promise<void> => {
    const last = own
    own = await inside.begin((host) => decided(host, () => false))
    last?.dispose()
  }
  return {
    ...workspace,
    openHosts,
    asked,
    isOwn,
    comparison: changesSinceLastStep<AgentStep>(inside.comparison),
    inside: {
      ...inside,
      // Ports of this machine are forwarded, so nobody asks for them.
      watch: (traffic) =>
        watch({
          onRequest(host) {
            if (isOwn(host)) asked.note(host, 'own')
            return traffic.onRequest(host)
          },
        }),
      // A step asks about other hosts. Its agent is running in the layer, so changed rules wait for the next turn.
      begin: (onHost) => inside.begin((host) => decided(host, () => onHost(host)), { keepsRunning: true }),
    },
  }
}

const fitsHost = (pattern: string, host: string): boolean => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern)
