import { AsyncQueue } from '../../../shared/lib/async-queue.ts'
import { newId, type SessionId } from '../../../shared/lib/ids.ts'
import type { ConnectItem, FoundMachine, LostMachine, MadeBranch } from '../../../shared/places/places-api.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { parseNewPlace } from '../../../shared/places/new-place.ts'
import type { RunningPlace } from '../../../shared/places/running-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { AppHandlers } from '../../../shared/api/contract.ts'
import { parseAddress, type Place, placeKey, placeName } from '../../../shared/places/address.ts'
import { latestValue } from '../latest-value.ts'
import { unlessStorageFails } from '../storage-failures.ts'
import { CACHE, type ProbeResult } from '../../places/probe.ts'
import type { LostPlace, Places } from '../../places/places.ts'

export interface PlacesHandlerParts {
  readonly places: Places
  /** Records a new container or pod for a folder of this computer, which must be trusted. Resolves to the address of the folder in it. */
  plan(typed: string, folder: string): Promise<Result<string, Trouble>>
  /** Trusts the copy of a folder at this address, because the user trusts the folder itself. */
  trust(address: string): Promise<unknown>
  running(): Promise<readonly RunningPlace[]>
  stop(place: Place, uninstalls: boolean): Promise<Result<null, Trouble>>
  /** Makes a branch with the work of a session in a clone. */
  makeBranch(sessionId: SessionId, name: string): Promise<Result<MadeBranch, Trouble>>
}

/** Connections to other machines, with their questions to the user. */
export function placesHandlers(parts: PlacesHandlerParts): AppHandlers['places'] {
  const { places } = parts
  const open = new Map<string, (text: string | null) => void>()
  return {
    list: async () => ({ machines: await places.known() }),
    connect: ({ place, folder }, { signal }) => connect(parts, { typed: place, folder }, open, signal),
    running: () =>
      unlessStorageFails(
        async () => ({ places: await parts.running() }),
        () => ({ places: [] }),
      ),
    stop({ place, uninstalls }) {
      const known = parseAddress(place).place
      return known === null ? failed(noMachine(place)) : parts.stop(known, uninstalls)
    },
    makeBranch: ({ sessionId, name }) => unlessStorageFails<Result<MadeBranch, Trouble>>(() => parts.makeBranch(sessionId, name), failed),
    lost: (_, { signal }) => latestValue(() => places.lost().map(lostMachine), places.onLost, signal),
    retry({ place }) {
      const known = parseAddress(place).place
      if (known !== null) places.retry(known)
      return null
    },
    giveUp({ place }) {
      const known = parseAddress(place).place
      if (known !== null) places.giveUp(known)
      return null
    },
    answer({ id, text }) {
      const take = open.get(id)
      take?.(text)
      return { isTaken: take !== undefined }
    },
  }
}

interface Wanted {
  readonly typed: string
  /** The folder of this computer for which a new place is made. Null if there is none. */
  readonly folder: string | null
}

/** The address to connect to. Records a new place first. */
async function addressFor({ plan }: PlacesHandlerParts, { typed, folder }: Wanted): Promise<Result<string, Trouble>> {
  if (parseNewPlace(typed) === null) return ok(typed)
  return folder === null ? failed(NO_FOLDER) : plan(typed, folder)
}

async function* connect(
  parts: PlacesHandlerParts,
  wanted: Wanted,
  open: Map<string, (text: string | null) => void>,
  signal: AbortSignal,
): AsyncGenerator<ConnectItem> {
  const address = await addressFor(parts, wanted)
  const { place, folder } = parseAddress(address.ok ? address.value : '')
  if (!address.ok || place === null) {
    yield { kind: 'failed', trouble: address.ok ? noMachine(wanted.typed) : address.failure }
    return
  }
  const isMade = parseNewPlace(wanted.typed) !== null
  const queue = new AsyncQueue<ConnectItem>()
  const own = new Set<string>()
  const ask = async (item: (id: string) => ConnectItem): Promise<string | null> => {
    const id = newId('ask')
    const { promise, resolve } = Promise.withResolvers<string | null>()
    open.set(id, resolve)
    own.add(id)
    queue.push(item(id))
    const answer = await promise
    open.delete(id)
    queue.push({ kind: 'connecting' })
    return answer
  }
  const giveUp = (): void => {
    for (const id of own) open.get(id)?.(null)
    queue.end()
  }
  signal.addEventListener('abort', giveUp, { once: true })
  queue.push({ kind: 'connecting' })
  const reaching = parts.places.reach(place, {
    signal,
    report: (words) => queue.push({ kind: 'making', words }),
    answer: (question) => ask((id) => ({ kind: 'asks', id, question, isSecret: !/\byes\/no\b/u.test(question) })),
    async mayInstall({ found, parts }) {
      const listed = parts.map(({ name, bytes }) => {
        return { kind: name.startsWith('node-') ? 'node' : 'code', folder: `~/${CACHE}/${name}`, bytes } as const
      })
      const may = (await ask((id) => ({ kind: 'asks-install', id, found: foundMachine(found), parts: listed }))) !== null
      if (may) queue.push({ kind: 'installing' })
      return may
    },
  })
  // Nobody would use the place, and the next attempt makes another one.
  const forget = async (): Promise<unknown> => isMade && parts.stop(place, true)
  const end = async (): Promise<void> => {
    const reached = await reaching.catch(async (error: unknown) => {
      await forget()
      throw error
    })
    if (reached.ok && isMade) await parts.trust(address.value)
    if (!reached.ok) await forget()
    queue.push(
      reached.ok
        ? { kind: 'reached', found: foundMachine(reached.value.found), place: placeKey(place), folder: isMade ? folder : null }
        : { kind: 'failed', trouble: reached.failure },
    )
    queue.end()
  }
  end().catch((error: unknown) => queue.fail(error))
  try {
    yield* queue
  } finally {
    signal.removeEventListener('abort', giveUp)
    giveUp()
  }
}

const lostMachine = ({ place, since, why, nextAt }: LostPlace): LostMachine => ({
  place: placeKey(place),
  name: placeName(place),
  since,
  why,
  nextAt,
})

const foundMachine = ({ system, machine, home, programs }: ProbeResult): FoundMachine => ({
  system,
  machine,
  home,
  programs: [...programs],
})

const noMachine = (typed: string): Trouble => ({
  code: 'no_machine',
  what: `“${typed}” names no machine.`,
  kept: 'Nothing was opened.',
  todo: 'Type ssh://HOST, container:NAME, image:NAME, devcontainer: or k8s://CONTEXT/NAMESPACE?image=NAME.',
})

const NO_FOLDER: Trouble = {
  code: 'no_folder',
  what: 'A container or pod needs a folder on this computer, but the shown session has none.',
  kept: 'Nothing was made.',
  todo: 'Open the folder first, then choose Another machine… again.',
}
