/** Where a folder lies and programs run. `null` stands for this computer. */
export type Place = SshPlace | ContainerPlace

/** A machine that the system's `ssh` reaches. `host`: a name of the user's ssh configuration, or `user@host`. `port`: null for its default. */
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
 * Place and folder together, as text. The address of a folder of this computer is its path alone, as it was before there were places:
 * `/srv/shop`, `ssh://build-box/srv/shop`, `container:shop-dev/work`.
 */
export interface Address {
  readonly place: Place | null
  /** A path at the place. It may begin with `~` until it has been looked up. */
  readonly folder: string
}

const SSH = /^ssh:\/\/([^/\s:]+|\[[^\]\s]+\])(?::(\d{1,5}))?(\/.*)?$/u
const CONTAINER = /^container:([A-Za-z0-9][\w.-]*)(\/.*)?$/u

/** Reads an address. A text that names no place is a path of this computer. */
export function parseAddress(text: string): Address {
  const ssh = SSH.exec(text)
  // A host that begins with a dash would be an option of `ssh`.
  if (ssh?.[1] !== undefined && !ssh[1].startsWith('-'))
    return { place: { kind: 'ssh', host: ssh[1], port: ssh[2] === undefined ? null : Number(ssh[2]) }, folder: folderIn(ssh[3]) }
  const container = CONTAINER.exec(text)
  if (container?.[1] !== undefined) return { place: { kind: 'container', name: container[1] }, folder: folderIn(container[2]) }
  return { place: null, folder: text }
}

/** The path after the place. `/~` stands for the home folder there, and so does nothing. */
function folderIn(path: string | undefined): string {
  if (path === undefined || path === '/~') return '~'
  return path.startsWith('/~/') ? path.slice(1) : path
}

/** The text of an address. `folder`: a path at the place, absolute or beginning with `~`. */
export function addressOf(place: Place | null, folder: string): string {
  return place === null ? folder : `${placeKey(place)}${folder.startsWith('/') ? '' : '/'}${folder}`
}

/** The part of an address that stands for its place. */
export function placeKey(place: Place): string {
  if (place.kind === 'container') return `container:${place.name}`
  return `ssh://${place.host}${place.port === null ? '' : `:${place.port}`}`
}

/** The name of a place for people. */
export function placeName(place: Place): string {
  if (place.kind === 'container') return place.name
  return place.port === null ? place.host : `${place.host}:${place.port}`
}

/** Whether the folder lies on another machine or in a container. */
export const isFar = (address: string): boolean => parseAddress(address).place !== null

/** The key of the place of an address. Null for this computer. */
export function machineOf(address: string): string | null {
  const { place } = parseAddress(address)
  return place && placeKey(place)
}
