import { disposable } from '../../shared/lib/disposable.ts'
import type { BlockedHost } from '../agent/ports/command-copies.ts'
import type { CommandsInLayer } from '../agent/ports/layers.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { type ChangesSinceLastStep, changesSinceLastStep } from './changes-since-last-step.ts'
import type { KnownAgent } from './known-agents.ts'

/** The layer in which an agent of another maker works. */
export interface ForeignPlace extends Workspace {
  readonly inside: CommandsInLayer
  readonly comparison: ChangesSinceLastStep
  /** From now on, the agent reaches its own hosts, also between its steps. */
  openHosts(): Promise<void>
}

/** Null if programs do not run in the layer itself, so that the agent could not be confined to it. */
export function foreignPlace(workspace: Workspace, agent: KnownAgent): ForeignPlace | null {
  const { inside } = workspace
  if (inside === null) return null
  const isOwn = ({ host }: BlockedHost): boolean => agent.hosts.some((pattern) => fitsHost(pattern, host))
  const openHosts = async (): Promise<void> => void (await inside.begin((asked) => Promise.resolve(isOwn(asked))))
  return {
    ...workspace,
    openHosts,
    comparison: changesSinceLastStep(inside.comparison),
    inside: {
      ...inside,
      // A step asks about other hosts. When it has ended, the agent still has to reach its service.
      async begin(onHost) {
        const begun = await inside.begin(async (asked) => isOwn(asked) || onHost(asked))
        const { blocked } = begun
        return {
          blocked,
          ...disposable(() => {
            begun.dispose()
            void openHosts().catch(() => {})
          }),
        }
      },
    },
  }
}

const fitsHost = (pattern: string, host: string): boolean => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern)
