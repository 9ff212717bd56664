import { basename, join, relative } from 'node:path'
import { parseAddress, type Place } from '../../../shared/places/address.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { NewPod } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { type Clone, sendClone } from '../clone/send-clone.ts'
import { takeSnapshot, topOf } from '../clone/take-snapshot.ts'
import { devContainerImage } from '../containers/dev-container-file.ts'
import { RENEW_LINE } from '../made/keep-alive.ts'
import type { MadePlace } from '../made/made-place.ts'
import { type Maker, type MakeOptions, MARKS, type PlaceState } from '../made/maker.ts'
import { CLAIMS, NO_SSH, podOf } from '../programs.ts'
import { runRemote } from '../run-remote.ts'
import { chosenCluster, type Cluster, clusterTrouble, kubectl, NO_KUBECTL, reasonIn } from './kubectl.ts'
import { claimManifest, leaseUntil, type PodFacts, podManifest, WORKSPACES } from './pod-manifest.ts'
import { podState } from './pod-state.ts'
import { claimState, renewedClaim, sandboxClaim } from './sandbox-claim.ts'
import { waitForPod } from './wait-for-pod.ts'

/** What a pod gets if the user does not say. */
const DEFAULTS = { cpu: '1', memory: '2Gi', disk: '10Gi', hours: 24 } as const
/** How long a pod may wait for a node and for its image, in ms. */
const START_MS = 10 * 60_000
/** The folder of the clone in a pod of a pool, whose volumes are not known. */
const POOL_WORKSPACES = '/tmp/workspaces'
/** How long the deletion of an ended pod may take, in ms. */
const DELETE_MS = 60_000

export interface PodsParts {
  readonly leaseS: number
  readonly now: () => number
  /** The folder on this computer where Countersign keeps its files about a place. */
  keptOf(name: string): string
}

/**
 * One pod for each session, made by the user's `kubectl`; the cluster places it. The folder is cloned there, with its uncommitted changes,
 * and its work comes back as a change set.
 */
export function pods({ leaseS, now, keptOf }: PodsParts): Maker<NewPod> {
  const facts = (made: MadePlace, from: NewPod): PodFacts => ({
    name: made.name,
    image: from.image ?? '',
    cpu: from.cpu ?? DEFAULTS.cpu,
    memory: from.memory ?? DEFAULTS.memory,
    disk: from.disk ?? DEFAULTS.disk,
    keep: from.keep,
    hours: from.hours ?? DEFAULTS.hours,
    folder: made.folder,
    leaseS,
  })
  const until = (since: number, { hours }: NewPod) => ({ now: now(), leaseS, last: since + (hours ?? DEFAULTS.hours) * 3_600_000 })
  const manifests = (made: MadePlace, from: NewPod): readonly object[] => {
    const pod = facts(made, from)
    if (from.pool !== null) return [sandboxClaim(pod, from.pool, until(now(), from))]
    return [...(from.keep ? [claimManifest(pod, now())] : []), podManifest(pod, now())]
  }
  const create = async (made: MadePlace, from: NewPod, signal: AbortSignal | undefined): Promise<Trouble | null> => {
    for (const manifest of manifests(made, from)) {
      const ran = await kubectl(clusterOf(from), ['create', '--validate=false', '--filename', '-'], {
        input: JSON.stringify(manifest),
        ...(signal && { signal }),
      })
      signal?.throwIfAborted()
      // The name is derived from the session, so this is the pod of an earlier attempt.
      if (ran.failure !== null && reasonIn(ran) !== 'AlreadyExists')
        return clusterTrouble(`The pod ${made.name} was not made.`, ran, clusterOf(from))
    }
    return null
  }
  const start = async (made: MadePlace, from: NewPod, options: MakeOptions): Promise<Trouble | null> => {
    options.report(
      from.pool === null
        ? `Making the pod ${made.name} from ${from.image} in ${from.namespace}.`
        : `Claiming a pod of ${from.pool} in ${from.namespace}.`,
    )
    const trouble = await create(made, from, options.signal)
    if (trouble) return trouble
    try {
      const watched = from.pool === null ? { kind: 'pod', read: podState } : { kind: CLAIMS, read: claimState }
      const end = await waitForPod(clusterOf(from), made.name, { ...options, ...watched, limitMs: START_MS })
      if (end.kind === 'running') return null
      await removePod(made, from)
      return notStarted(end.why, end.kind === 'late')
    } catch (error) {
      // The user no longer waits for it.
      await removePod(made, from)
      throw error
    }
  }
  return {
    async plan({ from, name, folder }) {
      const cluster = await chosenCluster(from.context, from.namespace)
      if (cluster === null) return failed(NO_KUBECTL)
      const image = from.pool === null ? (from.image ?? (await devContainerImage(folder))) : null
      if (from.pool === null && image === null) return failed(NO_IMAGE)
      const top = await topOf(folder)
      const inside = join(from.pool === null ? WORKSPACES : POOL_WORKSPACES, basename(top) || 'folder', relative(top, folder))
      const place: Place = { kind: 'pod', ...cluster, name, ...(from.pool !== null && { isClaimed: true }) }
      return ok({ from: { ...from, ...cluster, image }, place, inside })
    },
    async ensure(made, from, options) {
      const state = await stateOf(made, from)
      if (!state.ok) return state
      const isNew = state.value.kind !== 'running'
      if (state.value.kind === 'gone') await removePod(made, from)
      const trouble = isNew ? await start(made, from, options) : null
      if (trouble) return failed(trouble)
      const cloned = await clone(made, keptOf(made.name), options)
      return cloned ? failed(cloned) : ok({ isNew })
    },
    async state(made, from) {
      const state = await stateOf(made, from)
      return state.ok ? state.value : { kind: 'waiting', why: state.failure.what }
    },
    async renew(made, from) {
      if (from.pool !== null) {
        const since = await claimedAt(made, from)
        if (since === null) return null
        const patch = JSON.stringify(renewedClaim(until(since, from)))
        return kubectl(clusterOf(from), ['patch', CLAIMS, made.name, '--type', 'merge', '--patch', patch])
      }
      const lease = `${MARKS.lease}=${leaseUntil(now(), leaseS)}`
      await kubectl(clusterOf(from), ['annotate', 'pod', made.name, '--overwrite', lease])
      return runRemote(placeOf(made), RENEW_LINE, NO_SSH)
    },
    async remove(made, from, forgets) {
      const trouble = (await removePod(made, from)) ?? (forgets && from.keep ? await removeClaim(made, from) : null)
      return trouble === null ? ok(null) : failed(trouble)
    },
  }
}

const clusterOf = ({ context, namespace }: NewPod): Cluster => ({ context: context ?? '', namespace: namespace ?? '' })

function placeOf({ address }: MadePlace): Place {
  const { place } = parseAddress(address)
  if (place === null) throw new Error(`No place: ${address}`)
  return place
}

async function stateOf(made: MadePlace, from: NewPod): Promise<Result<PlaceState, Trouble>> {
  if (from.pool === null) return described(from, 'pod', made.name, podState)
  const claim = await described(from, CLAIMS, made.name, claimState)
  const place = placeOf(made)
  if (!claim.ok || claim.value.kind !== 'running' || place.kind !== 'pod') return claim
  const name = await podOf(place).catch((error: unknown) => {
    if (error instanceof EnvironmentFailure) return error
    throw error
  })
  if (name instanceof EnvironmentFailure) return ok({ kind: 'waiting', why: name.message })
  return described(from, 'pod', name, podState)
}

/** The state that the cluster describes. `read`: see `podState`. */
async function described(from: NewPod, kind: string, name: string, read: typeof podState): Promise<Result<PlaceState, Trouble>> {
  const ran = await kubectl(clusterOf(from), ['get', kind, name, '--output', 'json'])
  if (ran.failure !== null) {
    if (reasonIn(ran) === 'NotFound') return ok({ kind: 'gone', why: `There is no ${kind === CLAIMS ? 'claim' : 'pod'} ${name}.` })
    return failed(clusterTrouble(`The cluster ${from.context} was not asked about the pod ${name}.`, ran, clusterOf(from)))
  }
  const state = read(JSON.parse(ran.stdout.toString('utf8')))
  if (state === null) return ok({ kind: 'waiting', why: `The cluster describes ${name} in an unknown way.` })
  return ok(state.kind === 'stuck' ? { kind: 'waiting', why: state.why } : state)
}

/** When a claim was made, by whichever process, in ms since 1970. Null if the cluster does not say. */
async function claimedAt({ name }: MadePlace, from: NewPod): Promise<number | null> {
  const ran = await kubectl(clusterOf(from), ['get', CLAIMS, name, '--output', 'jsonpath={.metadata.creationTimestamp}'])
  const at = Date.parse(ran.stdout.toString('utf8'))
  return Number.isNaN(at) ? null : at
}

/** Removes a pod, or the claim that chose it, and waits until its name is free. Its volume claim is kept: it has files that nothing else has. Null if it is gone. */
async function removePod(made: MadePlace, from: NewPod): Promise<Trouble | null> {
  const ran = await kubectl(clusterOf(from), ['delete', from.pool === null ? 'pod' : CLAIMS, made.name, '--ignore-not-found', '--wait'], {
    timeoutMs: DELETE_MS,
  })
  return ran.failure === null ? null : clusterTrouble(`The pod ${made.name} was not removed.`, ran, clusterOf(from))
}

async function removeClaim(made: MadePlace, from: NewPod): Promise<Trouble | null> {
  const ran = await kubectl(clusterOf(from), ['delete', 'persistentvolumeclaim', made.name, '--ignore-not-found', '--wait=false'])
  return ran.failure === null ? null : clusterTrouble(`The volume claim ${made.name} was not removed.`, ran, clusterOf(from))
}

/** The clone of a place that was made with one. */
export async function cloneOf(made: MadePlace, kept: string): Promise<Clone> {
  const { folder } = parseAddress(made.address)
  const snapshot = await takeSnapshot(made.folder, kept)
  const below = relative(snapshot.top, made.folder)
  return { place: placeOf(made), kept, top: below === '' ? folder : folder.slice(0, -below.length - 1) }
}

async function clone(made: MadePlace, kept: string, { report, signal }: MakeOptions): Promise<Trouble | null> {
  try {
    report(`Cloning ${made.folder} there, with its uncommitted changes.`)
    const there = await cloneOf(made, kept)
    await sendClone(there, await takeSnapshot(made.folder, kept), signal)
    return null
  } catch (error) {
    if (!(error instanceof EnvironmentFailure)) throw error
    return {
      code: 'not_cloned',
      what: error.message,
      kept: `${made.folder} is unchanged. The pod ${made.name} is kept.`,
      todo: 'Fix the cause and try again, or end the pod: places stop.',
    }
  }
}

const NO_IMAGE: Trouble = {
  code: 'no_image',
  what: 'The address names no image, and the folder has no devcontainer.json with an “image”.',
  kept: 'Nothing was made.',
  todo: 'Add the image to the address: k8s://CONTEXT/NAMESPACE?image=node:22',
}

const notStarted = (why: string, isLate: boolean): Trouble => ({
  code: 'pod_not_started',
  what: isLate ? `The pod did not start within ${START_MS / 60_000} minutes. ${why}` : why,
  kept: 'The folder is unchanged, and the pod was removed.',
  todo: 'Fix the cause, then try again. Nothing is retried by itself.',
})
