import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Confinement } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { HostFacts } from '../wire/messages.ts'
import type { Method } from '../wire/methods.ts'
import type { Site } from '../site.ts'
import type { AskedHosts } from './asked-hosts.ts'
import type { Calls } from './calls.ts'
import type { CommandLine } from './hear-command.ts'

/** What the near halves of a folder and its layers share. */
export interface RemoteParts {
  readonly calls: Calls
  readonly line: CommandLine
  readonly hosts: AskedHosts
  /** The ids of the calls that made these confinements. */
  readonly confinements: WeakMap<Confinement, number>
  /** The functions that mark a shell as ended, by the id of the call that opened it. */
  readonly shells: Map<number, () => void>
  readonly facts: HostFacts
  /** Whether the connection has ended. */
  isLost(): boolean
  /** Where the bytes of changed files are stored on this side. Null if the far side has no copies and layers. */
  readonly blobs: Pick<BlobStore, 'has' | 'putInSlices' | 'getInSlices'> | null
  /** Whether the far side is another machine, where each message takes a while. */
  readonly isFar: boolean
  /** The patterns of the files that programs in the layer of a session may not read at the moment. */
  denied(sessionId: SessionId): readonly string[]
}

/** The near half of a folder or a layer. `calls`: its calls. */
export interface RemoteSite extends Omit<Site, 'inside'> {
  readonly calls: Pick<Calls, 'call' | 'first' | 'changes'>
}

/** The calls that may start a program. */
const STARTS: ReadonlySet<Method> = new Set<Method>(['execCommand', 'openShell', 'spawn', 'open', 'runCopy', 'beginInside', 'forwardPort'])

/** Sends calls to the layer that call `on` has opened. `beforeStart` runs before each call that may start a program. */
export const callsOn = ({ call, first, changes }: Calls, on: number, beforeStart: () => void): RemoteSite['calls'] => ({
  changes,
  first: (method, args, options) => first(method, args, { ...options, on }),
  call(method, args, options) {
    if (STARTS.has(method)) beforeStart()
    return call(method, args, { ...options, on })
  },
})

/** Throws for an answer that the far side cannot give if it tells the truth. */
export function mustBe(isRight: boolean, what: string): void {
  if (!isRight) throw new EnvironmentFailure('EPROTO', `The other machine gave a wrong answer (EPROTO): ${what}.`)
}
