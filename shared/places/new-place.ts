import { SessionId } from '../lib/ids.ts'
import { failed, ok, type Result } from '../lib/result.ts'
import { decodedPart } from './address.ts'

/**
 * What a place is made from: a container from an image, the dev container of a folder, or a pod. As text: `image:node:22`, `devcontainer:`,
 * `k8s://kind/team?image=node:22`.
 */
export type NewPlace = NewContainer | { readonly kind: 'devcontainer' } | NewPod

export interface NewContainer {
  readonly kind: 'image'
  readonly image: string
}

/**
 * A new pod. Null: taken from the user's kubectl configuration, or a default. `pool`: a warm pool of agent-sandbox, which gives the pod and
 * decides its image and its resources.
 */
export interface NewPod {
  readonly kind: 'pod'
  /** A name in the user's kubectl configuration. */
  readonly context: string | null
  readonly namespace: string | null
  readonly image: string | null
  readonly pool: string | null
  /** Kubernetes quantities, such as `500m` and `2Gi`. Each is both the request and the limit. */
  readonly cpu: string | null
  readonly memory: string | null
  readonly disk: string | null
  /** Whether the files are stored in a volume claim, which outlives the pod. Otherwise they are on the node's disk. */
  readonly keep: boolean
  /** After this many hours, the cluster ends the pod. */
  readonly hours: number | null
}

const IMAGE = /^[\w][\w.\-/:@]*$/u
const POD = /^k8s:\/\/([^/?\s]*)(?:\/([a-z0-9-]*))?\/?(?:\?(.*))?$/u
const QUANTITY = /^\d+(?:\.\d+)?(?:m|[kKMGTPE]i?)?$/u
const HOURS = /^[1-9]\d{0,3}$/u
const POOL = /^[a-z0-9][a-z0-9.-]{0,252}$/u
const OPTIONS = ['image', 'pool', 'cpu', 'memory', 'disk', 'keep', 'hours'] as const
/** What the template of a pool decides. */
const OF_POOL = ['image', 'cpu', 'memory', 'disk', 'keep'] as const

/** Parses the text of a new place. Null if the text is something else. A failure is a sentence. */
export function parseNewPlace(text: string): Result<NewPlace, string> | null {
  if (text === 'devcontainer:') return ok({ kind: 'devcontainer' })
  if (text.startsWith('image:')) {
    const image = text.slice('image:'.length)
    return IMAGE.test(image)
      ? ok({ kind: 'image', image })
      : failed(`“${image}” is not the name of an image. Type image:NAME, like image:node:22.`)
  }
  const [whole, context, namespace, query] = POD.exec(text) ?? []
  return whole === undefined ? null : newPod(context ?? '', namespace ?? '', query ?? '')
}

function newPod(encoded: string, namespace: string, query: string): Result<NewPod, string> {
  const context = decodedPart(encoded)
  if (context === null || context.startsWith('-')) return failed(`“${encoded}” is not the name of a context, encoded as in a URL.`)
  const given = optionsIn(query)
  const unknown = [...given.keys()].find((name) => !OPTIONS.some((one) => one === name))
  if (unknown !== undefined) return failed(`A pod has no option “${unknown}”. The options are ${OPTIONS.join(', ')}.`)
  const get = (name: string): string | null => given.get(name) ?? null
  const image = get('image')
  if (image !== null && !IMAGE.test(image)) return failed(`“${image}” is not the name of an image.`)
  const pool = get('pool')
  if (pool !== null && !POOL.test(pool)) return failed(`“${pool}” is not the name of a warm pool.`)
  const decided = pool === null ? undefined : OF_POOL.find((name) => given.has(name))
  if (decided !== undefined) return failed(`The pool decides ${decided}, so leave out ${decided}= or pool=.`)
  for (const name of ['cpu', 'memory', 'disk']) {
    const quantity = get(name)
    if (quantity !== null && !QUANTITY.test(quantity)) return failed(`${name} is a quantity such as 500m or 2Gi, not “${quantity}”.`)
  }
  const hours = get('hours')
  if (hours !== null && !HOURS.test(hours)) return failed(`hours is a whole number from 1, not “${hours}”.`)
  const keep = get('keep')
  if (keep !== null && keep !== 'true' && keep !== 'false') return failed(`keep is true or false, not “${keep}”.`)
  return ok({
    kind: 'pod',
    context: context === '' ? null : context,
    namespace: namespace === '' ? null : namespace,
    image,
    pool,
    cpu: get('cpu'),
    memory: get('memory'),
    disk: get('disk'),
    keep: keep === 'true',
    hours: hours === null ? null : Number(hours),
  })
}

/** The options after a question mark. An option that is not encoded correctly is empty. */
const optionsIn = (query: string): ReadonlyMap<string, string> =>
  new Map(
    query
      .split('&')
      .filter((option) => option !== '')
      .map((option) => {
        const at = option.indexOf('=')
        return at === -1 ? [option, ''] : [option.slice(0, at), decodedPart(option.slice(at + 1)) ?? '']
      }),
  )

/** The text of a new place, which `parseNewPlace` reads. */
export function newPlaceText(place: NewPlace): string {
  if (place.kind === 'devcontainer') return 'devcontainer:'
  if (place.kind === 'image') return `image:${place.image}`
  const { context, namespace, image, pool, cpu, memory, disk, keep, hours } = place
  const options = Object.entries({
    image,
    pool,
    cpu,
    memory,
    disk,
    keep: keep ? 'true' : null,
    hours: hours === null ? null : String(hours),
  })
  const query = options.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join('&')
  return `k8s://${encodeURIComponent(context ?? '')}/${namespace ?? ''}${query === '' ? '' : `?${query}`}`
}

/** The id of the first session in the place that was made under this name. */
export const sessionIdOf = (name: string): SessionId => SessionId.parse(name.replace(/^countersign-/u, 's_'))
/** The name of the place that is made for a session. */
export const nameFrom = (sessionId: string): string => sessionId.replace(/^s_/u, 'countersign-').slice(0, 63)
