import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { BlockedHost, Confined, EndedCopy } from '../../agent/ports/command-copies.ts'
import type { CommandsInLayer } from '../../agent/ports/layers.ts'
import type { OpenedProgram } from '../../agent/ports/opened-program.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { Site } from '../site.ts'
import type { ArgsOf, Method, ValueOf } from '../wire/methods.ts'
import type { Want } from '../wire/schemas.ts'
import type { ContentStore } from './content-store.ts'
import type { ServedCommand } from './serve-command.ts'

/** One call of the near side. */
export interface ServedCall {
  readonly id: number
  /** The raw bytes that came with the call. */
  readonly bytes: Buffer
  readonly signal: AbortSignal
  /** Sends raw bytes of the answer. Resolves when the next ones may be sent. */
  readonly answer: (bytes: Uint8Array) => Promise<void>
  /** Sends the content of one file as part of the answer. Several contents may be passed without waiting. */
  readonly content: (bytes: Uint8Array) => Promise<void>
  /** Registers a command, so that the near side can type, resize and say what it has processed. */
  readonly command: (wants: readonly Want[]) => ServedCommand
  /** Registers an opened program. Resolves when it and its output have ended. */
  readonly program: (opened: OpenedProgram) => Promise<void>
  /** Asks the near side whether a program may reach a host. */
  readonly onHost: (host: BlockedHost) => Promise<boolean>
}

export type ServedMethods = { readonly [M in Method]: (args: ArgsOf<M>, call: ServedCall) => Promise<ValueOf<M>> }

/** The objects that calls have created, by the id of the call. Later calls refer to them by this id. */
export interface ServedObjects {
  readonly copies: Map<number, EndedCopy>
  readonly confined: Map<number, Confined>
  /** By the id of the confinement and the mark. */
  readonly suspected: Map<string, Disposable>
  readonly begun: Map<number, Awaited<ReturnType<CommandsInLayer['begin']>>>
}

/** A folder or a layer, with everything that its calls need. */
export interface ServedSite extends Site {
  readonly objects: ServedObjects
  readonly contents: ContentStore | null
  /** Serves the layer of a session from now on, under the id of the call that opened it. */
  serve(id: number, sessionId: SessionId, layer: Site): void
  /** Sets the patterns of the files that programs in a session's layer may not read. */
  deny(sessionId: SessionId, patterns: readonly string[]): void
  /** Called when a shell’s process has ended. */
  onShellEnd(shell: number): void
}

/** The object that a call created. Throws `EINVAL` if it is gone. */
export function found<T>(objects: ReadonlyMap<number, T>, id: number): T {
  const object = objects.get(id)
  if (object === undefined) throw new EnvironmentFailure('EINVAL', 'The result of an earlier call is gone (EINVAL).')
  return object
}

/** A part of a site that may be missing. Throws `ENOTSUP` if it is missing. */
export function existing<T>(part: T | null): T {
  if (part === null) throw new EnvironmentFailure('ENOTSUP', 'This host process has no copies and layers (ENOTSUP).')
  return part
}

export const done = (work: Promise<void>): Promise<null> => work.then(() => null)

/** Splits the bytes of a call into contents of these lengths. */
export function split(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  let at = 0
  return lengths.map((length) => bytes.subarray(at, (at += length)))
}
