import type { Trouble } from '../../../shared/session/events.ts'
import type { OwnEnd, OwnRun } from '../../environment/own-programs/run-own-program.ts'
import { lastWords, runTool } from '../made/run-tool.ts'
import { inCluster } from '../programs.ts'

/** A namespace of a cluster. `context`: a name in the user's kubectl configuration. */
export interface Cluster {
  readonly context: string
  readonly namespace: string
}

/** Runs the user's `kubectl` with the user's own configuration and plug-ins. */
export const kubectl = ({ context, namespace }: Cluster, args: readonly string[], run: Partial<OwnRun> = {}): Promise<OwnEnd> =>
  runTool('kubectl', [...inCluster({ context, namespace }), ...args], run)

/** The reason in an error message of the cluster, such as `Forbidden` or `AlreadyExists`. Null if the cluster was not reached. */
export const reasonIn = ({ stderr }: Pick<OwnEnd, 'stderr'>): string | null => /Error from server \((\w+)\)/u.exec(stderr)?.[1] ?? null

/**
 * The context and the namespace, with those of the user's configuration for what is null. Null if the configuration has no such context.
 */
export async function chosenCluster(context: string | null, namespace: string | null): Promise<Cluster | null> {
  const which = context === null ? [] : ['--context', context]
  const ran = await runTool('kubectl', [...which, 'config', 'view', '--minify', '--output', 'json'])
  if (ran.failure !== null) return null
  const view = JSON.parse(ran.stdout.toString('utf8')) as {
    readonly contexts?: readonly { readonly name: string; readonly context?: { readonly namespace?: string } }[]
  }
  const [found] = view.contexts ?? []
  return found === undefined ? null : { context: found.name, namespace: namespace ?? found.context?.namespace ?? 'default' }
}

/** Explains why a request to the cluster failed. `what`: a sentence that says what was not done. */
export function clusterTrouble(what: string, ran: OwnEnd, { context, namespace }: Cluster): Trouble {
  const said = lastWords(ran)
  const trouble = (code: string, todo: string): Trouble => ({
    code,
    what: `${what} ${said}`.trim(),
    kept: 'The folder is unchanged.',
    todo,
  })
  if (ran.exitCode === null && said === '') return { ...NO_KUBECTL, what: `${what} ${ran.failure?.message ?? ''}`.trim() }
  if (/exceeded quota/u.test(said))
    return trouble('pod_over_quota', 'End other pods (places list), use less with cpu=, memory= and disk=, or ask for a larger quota.')
  if (/violates PodSecurity/u.test(said)) return trouble('pod_forbidden', 'Use an image that does not run as root, or another namespace.')
  if (/no matches for kind|have a resource type/u.test(said))
    return trouble(
      'no_agent_sandbox',
      'Install agent-sandbox 0.5 or newer with its extensions in the cluster, or use image= instead of pool=.',
    )
  if (reasonIn(ran) === 'Forbidden')
    return trouble(
      'pod_forbidden',
      `Ask for permission to create, get, list, watch and delete pods and to create pods/exec in ${namespace}. To see what you may do: kubectl --context ${context} auth can-i --list -n ${namespace}`,
    )
  return trouble(
    'cluster_failed',
    `Check that “kubectl --context ${context} get pods -n ${namespace}” works in a terminal, then try again.`,
  )
}

export const NO_KUBECTL: Trouble = {
  code: 'no_kubectl',
  what: 'No program “kubectl” was found on this computer, or its configuration has no such context.',
  kept: 'Nothing was made.',
  todo: 'Install kubectl, and check the names of its contexts: kubectl config get-contexts',
}
