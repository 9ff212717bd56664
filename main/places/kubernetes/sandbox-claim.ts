import { z } from 'zod'
import { leaseUntil, metadataOf, type PodFacts } from './pod-manifest.ts'
import { type PodState, sentence } from './pod-state.ts'

/**
 * Asks agent-sandbox for a pod of one of its warm pools. The image, the resources and the rights of the pod are those of the pool. The
 * claim and its pod end when the lease or the hours are over.
 */
export function sandboxClaim(facts: PodFacts, pool: string, until: LeaseLimits) {
  const { labels, annotations } = metadataOf(facts, until.now)
  return {
    apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
    kind: 'SandboxClaim',
    metadata: metadataOf(facts, until.now),
    spec: {
      warmPoolRef: { name: pool },
      lifecycle: { shutdownTime: shutdownTime(until), shutdownPolicy: 'Delete' },
      additionalPodMetadata: { labels, annotations },
    },
  } as const
}

interface LeaseLimits {
  /** In ms since 1970. */
  readonly now: number
  readonly leaseS: number
  /** When the hours of the pod are over, in ms since 1970. */
  readonly last: number
}

/** Renews the lease of a claim. */
export const renewedClaim = (until: LeaseLimits): object => ({ spec: { lifecycle: { shutdownTime: shutdownTime(until) } } })

/** Kubernetes has no fractions of a second in a time. */
const shutdownTime = ({ now, leaseS, last }: LeaseLimits): string =>
  (Date.parse(leaseUntil(now, leaseS)) < last ? leaseUntil(now, leaseS) : new Date(last).toISOString()).replace(/\.\d+Z$/u, 'Z')

const claim = z.object({
  metadata: z.object({ name: z.string(), deletionTimestamp: z.string().optional() }),
  status: z
    .object({
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), reason: z.string().optional(), message: z.string().optional() }))
        .optional(),
    })
    .optional(),
})

/** The reasons that do not go away by themselves. */
const STUCK: ReadonlySet<string> = new Set(['WarmPoolNotFound', 'TemplateNotFound', 'InvalidMetadata'])

/** Reads from the cluster's description of a claim whether its pod runs, and what it waits for. Null if `json` does not describe a claim. */
export function claimState(json: unknown): PodState | null {
  const read = claim.safeParse(json)
  if (!read.success) return null
  const { metadata, status } = read.data
  const { name } = metadata
  if (metadata.deletionTimestamp !== undefined) return { kind: 'gone', why: `The claim ${name} is being deleted.` }
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready === undefined) return { kind: 'waiting', why: `The claim ${name} waits for a pod.` }
  if (ready.status === 'True') return { kind: 'running' }
  const { reason = 'Pending' } = ready
  if (reason === 'ClaimExpired') return { kind: 'gone', why: `The claim ${name} ended, because its lease or its hours were over.` }
  const why = `The claim ${name} waits (${reason}): ${sentence(ready.message)}`
  return { kind: STUCK.has(reason) ? 'stuck' : 'waiting', why }
}
