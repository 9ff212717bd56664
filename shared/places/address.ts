import { assertNever } from '../lib/assert-never.ts'

/** A machine or container with folders, in which programs run. `null` stands for this computer. */
export type Place = SshPlace | ContainerPlace | PodPlace

/** A machine that `ssh` connects to. `host`: a name in the user's ssh configuration, or `user@host`. `port`: null for the default. */
export interface SshPlace {
  readonly kind: 'ssh'
  readonly host: string
  readonly port: number | null
}

/** A running container. `name`: its name or id. */
interface ContainerPlace {
  readonly kind: 'container'
  readonly name: string
}

/**
 * A running pod of a Kubernetes cluster. `context`: a name in the user's kubectl configuration. `isClaimed`: `name` is that of a claim of
 * agent-sandbox, which chooses the pod.
 */
export interface PodPlace {
  readonly kind: 'pod'
  readonly context: string
  readonly namespace: string
  readonly name: string
  readonly isClaimed?: boolean
}

/**
 * A place and a folder. As text: `ssh://build-box/srv/shop`, `container:shop-dev/work`, `k8s://kind/team/pod-1/work`,
 * `k8s://kind/team/claim:name/work`, or for a folder on
 * this computer its path alone, `/srv/shop`.
 */
export interface Address {
  readonly place: Place | null
  /** A path at the place. An address that was typed may begin with `~`. */
  readonly folder: string
}

const SSH = /^ssh:\/\/([^/\s:]+|\[[^\]\s]+\])(?::(\d{1,5}))?(\/.*)?$/u
const CONTAINER = /^container:([A-Za-z0-9][\w.-]*)(\/.*)?$/u
/** The context is encoded like a part of a URL, because it may contain any character. */
const POD = /^k8s:\/\/([^/?\s]+)\/([a-z0-9][a-z0-9-]*)\/(claim:)?([a-z0-9][a-z0-9.-]*)(\/.*)?$/u

/** Parses an address. A text without a place is a path on this computer. */
export function parseAddress(text: string): Address {
  const ssh = SSH.exec(text)
  // A host that begins with a dash would be an option of `ssh`.
  if (ssh?.[1] !== undefined && !ssh[1].startsWith('-'))
    return { place: { kind: 'ssh', host: ssh[1], port: ssh[2] === undefined ? null : Number(ssh[2]) }, folder: folderIn(ssh[3]) }
  const container = CONTAINER.exec(text)
  if (container?.[1] !== undefined) return { place: { kind: 'container', name: container[1] }, folder: folderIn(container[2]) }
  const [, context, namespace, claim, name, path] = POD.exec(text) ?? []
  const decoded = context === undefined ? null : decodedPart(context)
  // A name that begins with a dash would be an option of `kubectl`.
  if (decoded !== null && namespace !== undefined && name !== undefined && !decoded.startsWith('-'))
    return { place: { kind: 'pod', context: decoded, namespace, name, ...(claim && { isClaimed: true }) }, folder: folderIn(path) }
  return { place: null, folder: text }
}

/** A decoded part of a URL. Null if it is not encoded correctly. */
export function decodedPart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The path after the place. `/~` and an empty path stand for the home folder there. */
function folderIn(path: string | undefined): string {
  if (path === undefined || path === '/~') return '~'
  return path.startsWith('/~/') ? path.slice(1) : path
}

/** The text of an address. `folder`: a path at the place, absolute or beginning with `~`. */
export function addressOf(place: Place | null, folder: string): string {
  return place === null ? folder : `${placeKey(place)}${folder.startsWith('/') ? '' : '/'}${folder}`
}

/** The address of a place without a folder. */
export function placeKey(place: Place): string {
  switch (place.kind) {
    case 'container':
      return `container:${place.name}`
    case 'pod':
      return `k8s://${encodeURIComponent(place.context)}/${place.namespace}/${place.isClaimed ? 'claim:' : ''}${place.name}`
    case 'ssh':
      return `ssh://${place.host}${place.port === null ? '' : `:${place.port}`}`
    default:
      return assertNever(place)
  }
}

/** The name of a place, for display. */
export function placeName(place: Place): string {
  if (place.kind !== 'ssh') return place.name
  return place.port === null ? place.host : `${place.host}:${place.port}`
}

/** Whether the folder is on another machine or in a container. */
export const isFar = (address: string): boolean => parseAddress(address).place !== null

/** The key of the place of an address. Null for this computer. */
export function machineOf(address: string): string | null {
  const { place } = parseAddress(address)
  return place && placeKey(place)
}
