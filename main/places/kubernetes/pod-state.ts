import { z } from 'zod'
import type { PlaceState } from '../made/maker.ts'

const text = z.string().optional()
const containerState = z.object({
  running: z.object({}).optional(),
  waiting: z.object({ reason: text, message: text }).optional(),
  terminated: z.object({ reason: text, message: text, exitCode: z.number().optional() }).optional(),
})
const pod = z.object({
  metadata: z.object({ name: z.string(), deletionTimestamp: text }),
  status: z
    .object({
      phase: text,
      reason: text,
      message: text,
      conditions: z.array(z.object({ type: z.string(), status: z.string(), reason: text, message: text })).optional(),
      containerStatuses: z.array(z.object({ state: containerState.optional() })).optional(),
    })
    .optional(),
})

type Pod = z.infer<typeof pod>
type ContainerState = z.infer<typeof containerState>

/** `stuck`: the pod cannot start until its image or its manifest is changed, so nothing waits for it. */
export type PodState = PlaceState | { readonly kind: 'stuck'; readonly why: string }

/** Reads from the cluster's description of a pod what the pod waits for, or why it ended. Null if `json` does not describe a pod. */
export function podState(json: unknown): PodState | null {
  const read = pod.safeParse(json)
  return read.success ? stateOf(read.data) : null
}

function stateOf({ metadata, status = {} }: Pod): PodState {
  const { name } = metadata
  const { phase, reason, message, conditions = [], containerStatuses = [] } = status
  const container: ContainerState = containerStatuses[0]?.state ?? {}
  if (metadata.deletionTimestamp !== undefined) return { kind: 'gone', why: `The pod ${name} is being deleted.` }
  if (phase === 'Failed') return { kind: 'gone', why: `The pod ${name} ${causeOf(reason, message, container)}` }
  if (phase === 'Succeeded') return { kind: 'gone', why: `The pod ${name} ended by itself, because no desk renewed its lease.` }
  if (container.terminated) return { kind: 'gone', why: `The pod ${name} ${causeOf(reason, message, container)}` }
  if (phase === 'Running' && container.running) return { kind: 'running' }
  if (phase === 'Unknown') return { kind: 'waiting', why: `The node of the pod ${name} does not answer.` }
  return waiting(name, container, conditions)
}

/** Why a pod ended. Completes a sentence that begins with the pod's name. */
function causeOf(reason: string | undefined, message: string | undefined, { terminated }: ContainerState): string {
  if (reason === 'Evicted') return `was evicted: ${sentence(message)}`
  if (reason === 'DeadlineExceeded') return 'reached its time limit (hours=).'
  if (terminated?.reason === 'OOMKilled')
    return 'was ended because it needed more memory than its limit (OOMKilled). Ask for more with memory=.'
  const why = reason ?? terminated?.reason ?? 'failed'
  const code = terminated?.exitCode === undefined ? '' : ` with exit code ${terminated.exitCode}`
  return `ended${code} (${why}): ${sentence(message ?? terminated?.message)}`
}

/** The reasons that do not go away by themselves. */
const STUCK: ReadonlySet<string> = new Set([
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
])

function waiting(
  name: string,
  { waiting: wait }: ContainerState,
  conditions: NonNullable<NonNullable<Pod['status']>['conditions']>,
): PodState {
  if (wait?.reason !== undefined && wait.reason !== 'ContainerCreating' && wait.reason !== 'PodInitializing') {
    const why = `The pod ${name} waits (${wait.reason}): ${sentence(wait.message)}`
    return { kind: STUCK.has(wait.reason) ? 'stuck' : 'waiting', why }
  }
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (unscheduled)
    return {
      kind: 'waiting',
      why: `The pod ${name} waits for a node (${unscheduled.reason ?? 'Pending'}): ${sentence(unscheduled.message)}`,
    }
  return {
    kind: 'waiting',
    why: wait === undefined ? `The pod ${name} waits for a node.` : `The container of the pod ${name} is being created.`,
  }
}

/** Words of the cluster as one sentence. */
export function sentence(words = 'the cluster gives no reason'): string {
  const line = words.replaceAll(/\s+/gu, ' ').trim()
  return /[.!?]$/u.test(line) ? line : `${line}.`
}
