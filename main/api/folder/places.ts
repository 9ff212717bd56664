import { AsyncQueue } from '../../../shared/lib/async-queue.ts'
import { newId } from '../../../shared/lib/ids.ts'
import type { ConnectItem, FoundMachine, LostMachine } from '../../../shared/places/places-api.ts'
import type { AppHandlers } from '../../../shared/api/contract.ts'
import { parseAddress, placeKey, placeName } from '../../../shared/places/address.ts'
import { latestValue } from '../latest-value.ts'
import { CACHE, type ProbeResult } from '../../places/probe.ts'
import type { LostPlace, Places } from '../../places/places.ts'

/** Connections to other machines, with their questions to the user. */
export function placesHandlers(places: Places): AppHandlers['places'] {
  const open = new Map<string, (text: string | null) => void>()
  return {
    list: async () => ({ machines: await places.known() }),
    connect: ({ place }, { signal }) => connect(places, place, open, signal),
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

async function* connect(
  places: Places,
  typed: string,
  open: Map<string, (text: string | null) => void>,
  signal: AbortSignal,
): AsyncGenerator<ConnectItem> {
  const { place } = parseAddress(typed)
  if (place === null) {
    yield { kind: 'failed', trouble: noMachine(typed) }
    return
  }
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
  const reaching = places.reach(place, {
    signal,
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
  reaching.then(
    (reached) => {
      queue.push(reached.ok ? { kind: 'reached', found: foundMachine(reached.value.found) } : { kind: 'failed', trouble: reached.failure })
      queue.end()
    },
    (error: unknown) => queue.fail(error),
  )
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

const noMachine = (typed: string) => ({
  code: 'no_machine',
  what: `“${typed}” names no machine.`,
  kept: 'Nothing was opened.',
  todo: 'Type ssh://HOST or container:NAME.',
})
