import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Result } from '../lib/result.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { RunningPlace } from './running-place.ts'

/** A machine whose folders can be opened. */
export interface Machine {
  /** An address without a folder. */
  readonly place: string
  readonly kind: 'ssh' | 'container'
  readonly name: string
  /** The image of a container. Null for hosts. */
  readonly note: string | null
}

/** What a machine says about itself. */
export interface FoundMachine {
  readonly system: string
  readonly machine: string
  readonly home: string
  /** Which of the programs that the agent uses are installed. */
  readonly programs: readonly string[]
}

/** A part of our code that is installed on a machine, with its size in bytes. */
interface InstalledPart {
  readonly kind: 'code' | 'node'
  /** The folder as the user would type it there. */
  readonly folder: string
  readonly bytes: number
}

/** The progress of a connection. The last item is `reached` or `failed`. */
export type ConnectItem =
  | { readonly kind: 'connecting' }
  /** `ssh` asks for a password or a code (`isSecret`), or whether the key of a host is right. */
  | { readonly kind: 'asks'; readonly id: string; readonly question: string; readonly isSecret: boolean }
  /** Asks whether our code may be installed. Nothing has been changed on the machine yet. */
  | { readonly kind: 'asks-install'; readonly id: string; readonly found: FoundMachine; readonly parts: readonly InstalledPart[] }
  | { readonly kind: 'installing' }
  /** A container or a pod is being made. `words`: the current step, as a sentence. */
  | { readonly kind: 'making'; readonly words: string }
  /** `place`: an address without a folder. `folder`: the path of the folder in a new place. Null if the user chooses one. */
  | { readonly kind: 'reached'; readonly found: FoundMachine; readonly place: string; readonly folder: string | null }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

/** A machine whose connection is lost while a folder is open there. Times are in ms since 1970. */
export interface LostMachine {
  /** An address without a folder. */
  readonly place: string
  readonly name: string
  readonly since: number
  /** The last error message of `ssh`, or how the connection ended. */
  readonly why: string
  /** When the next attempt to reconnect begins. Null during an attempt. */
  readonly nextAt: number | null
}

/** A branch that was made in the repository of a folder. */
export interface MadeBranch {
  readonly name: string
  /** The hash of its newest commit. */
  readonly commit: string
  /** How many commits it has that the folder's checked-out commit does not have. */
  readonly commits: number
}

const onePlace = z.object({ place: z.string().max(500) })

export const placesApi = {
  /** The hosts of the user's ssh configuration, and the running containers. */
  list: command({ input: z.object({}), output: returns<{ readonly machines: readonly Machine[] }>() }),
  /**
   * Connects to a machine, given by an address without a folder. Or makes a container or a pod (`NewPlace`) for `folder`, a folder of this
   * computer, and connects to it. Questions are sent as items. Leaving the stream cancels the connection.
   */
  connect: stream({ input: onePlace.extend({ folder: z.string().max(4_000).nullable() }), item: items<ConnectItem>() }),
  /** What Countersign has on other machines. Asks each machine, without asking the user. */
  running: command({ input: z.object({}), output: returns<{ readonly places: readonly RunningPlace[] }>() }),
  /** Ends what Countersign runs at a place. `uninstalls`: also removes what Countersign stored or installed for it. */
  stop: command({ input: onePlace.extend({ uninstalls: z.boolean() }), output: returns<Result<null, Trouble>>() }),
  /**
   * Makes a branch in the repository of a session's folder, with the session's work in its layer or clone: its commits, and one commit with the rest.
   * Changes neither files nor the checked-out branch. Fails if the branch exists.
   */
  makeBranch: command({
    input: z.object({ sessionId: SessionId, name: z.string().min(1).max(200) }),
    output: returns<Result<MadeBranch, Trouble>>(),
  }),
  /** The machines whose connections are lost. Sent at once and after each change. */
  lost: stream({ input: z.object({}), item: items<readonly LostMachine[]>() }),
  /** Tries to reconnect at once. */
  retry: command({ input: onePlace, output: returns<null>() }),
  /** Stops reconnecting: calls that wait for the machine fail, and the programs there end by themselves. */
  giveUp: command({ input: onePlace, output: returns<null>() }),
  /** Answers a question of a connection. Null refuses it. Any text agrees to an installation. */
  answer: command({
    input: z.object({ id: z.string().max(80), text: z.string().max(10_000).nullable() }),
    output: returns<{ readonly isTaken: boolean }>(),
  }),
}
