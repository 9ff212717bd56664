import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/** A machine whose folders could be opened. */
export interface Machine {
  /** An address without a folder. */
  readonly place: string
  readonly kind: 'ssh' | 'container'
  readonly name: string
  /** The image of a container. Null for hosts. */
  readonly note: string | null
}

/** What was found on a machine, as that machine says. */
export interface FoundMachine {
  readonly system: string
  readonly machine: string
  readonly home: string
  /** The programs that matter for the work there. */
  readonly programs: readonly string[]
}

/** A part of our code that is put on a machine, with its size in bytes. */
interface InstalledPart {
  readonly kind: 'code' | 'node'
  /** As the user would type it there. */
  readonly folder: string
  readonly bytes: number
}

/** How far a connection is. The last item is `reached` or `failed`. */
export type ConnectItem =
  | { readonly kind: 'connecting' }
  /** `ssh` asks for a password or a code (`isSecret`), or whether the key of a host is right. */
  | { readonly kind: 'asks'; readonly id: string; readonly question: string; readonly isSecret: boolean }
  /** Our code must be put there. Nothing has been changed on the machine yet. */
  | { readonly kind: 'asks-install'; readonly id: string; readonly found: FoundMachine; readonly parts: readonly InstalledPart[] }
  | { readonly kind: 'installing' }
  | { readonly kind: 'reached'; readonly found: FoundMachine }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

/** A machine to which the connection is lost, although something is open there. Times are in ms since 1970. */
export interface LostMachine {
  /** An address without a folder. */
  readonly place: string
  readonly name: string
  readonly since: number
  /** The last words of `ssh`, or how the connection ended. */
  readonly why: string
  /** When the next try begins. Null while one runs. */
  readonly nextAt: number | null
}

const onePlace = z.object({ place: z.string().max(500) })

export const placesApi = {
  /** The hosts of the user's ssh configuration, and the running containers. */
  list: command({ input: z.object({}), output: returns<{ readonly machines: readonly Machine[] }>() }),
  /** Connects to a machine, given by an address without a folder, and asks what must be asked. Leaving the stream gives up. */
  connect: stream({ input: onePlace, item: items<ConnectItem>() }),
  /** The machines to which the connection is lost. Sent at once and after each change. */
  lost: stream({ input: z.object({}), item: items<readonly LostMachine[]>() }),
  /** Tries to reconnect at once. */
  retry: command({ input: onePlace, output: returns<null>() }),
  /** Stops trying: what waits for the machine fails, and what runs there ends by itself. */
  giveUp: command({ input: onePlace, output: returns<null>() }),
  /** Answers a question of a connection. Null refuses it. An installation is allowed by any text. */
  answer: command({
    input: z.object({ id: z.string().max(80), text: z.string().max(10_000).nullable() }),
    output: returns<{ readonly isTaken: boolean }>(),
  }),
}
