import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { VERSION } from '../../version.ts'
import { openChannel } from '../wire/channel.ts'
import { ProtocolError } from '../wire/frames.ts'
import { type HostFacts, type OpenRequest, type ToFar, type ToNear, toNear } from '../wire/messages.ts'
import { type SilenceWatch, watchSilence } from '../wire/silence.ts'
import type { Site } from '../site.ts'
import { createAskedHosts } from './asked-hosts.ts'
import { createCalls } from './calls.ts'
import { followChild, type HostChild } from './host-child.ts'
import type { RemoteParts } from './remote-parts.ts'
import { remoteSite } from './remote-site.ts'

/** How a host process ended. `lost`: against our will. */
type HostEnd = { readonly kind: 'closed' } | { readonly kind: 'lost'; readonly message: string }

/** A running host process and its folder. */
export interface HostProcess extends Omit<Site, 'inside'> {
  readonly facts: HostFacts
  /** Resolves when the connection has ended. Afterwards every call rejects with `ELOST`. */
  readonly ended: Promise<HostEnd>
  /** Sets whether commands there wait for an answer about a host. As long as they do, no time limit runs. */
  hold(waits: boolean): void
  /** Ends everything that was started there, and the process itself. Resolves when it has ended. */
  close(): Promise<void>
}

export interface HostStart {
  /** Starts the host process or a program that leads to it, with three pipes. */
  readonly start: () => HostChild
  /** The hash that the code on the far side must have (`buildHash`). */
  readonly build: string
  /** The working directory of the environment on the far side. */
  readonly folder: string
  /**
   * A folder on the far side for copies, for layers, and for notes about what a crash would leave behind. If null, there are none of these.
   */
  readonly data: string | null
  /** Folders on the far side that programs in copies and layers may not see. Default: `data`. */
  readonly hidden?: readonly string[]
  /** Where the bytes of changed files are stored on this side. If left out, the host process has no copies and layers. */
  readonly blobs?: NonNullable<RemoteParts['blobs']>
  /** Whether it is on another machine. Default: false. */
  readonly isFar?: boolean
  /** The patterns of the files that programs in a session's layer may not read now. Default: none. */
  readonly denied?: (sessionId: SessionId) => readonly string[]
  readonly options?: OpenRequest['options']
  /** Added to the variables of the far process, for the programs that it starts: PATH of the user's shell, allowed secrets. */
  readonly variables?: Readonly<Record<string, string>>
  /** Applied to all output of commands, on this side: the far side gets no secrets to look for. Default: nothing is hidden. */
  readonly redactor?: Redactor
  /** Without any message for this long, each side takes the other for lost. Default: 30 s. */
  readonly silenceMs?: number
  /** Default: 60 s, because a login shell may take long. */
  readonly startMs?: number
}

const SILENCE_MS = 30_000
const START_MS = 60_000

/**
 * Starts a host process and opens its environment. Rejects with `ELOST` if it does not answer, and with `EPROTO` if it is another build or
 * does not speak our protocol. `folder` is not accessed before the environment's `initialize`.
 */
export async function startHostProcess({ silenceMs = SILENCE_MS, startMs = START_MS, ...start }: HostStart): Promise<HostProcess> {
  const child = start.start()
  const followed = followChild(child)
  const ready = Promise.withResolvers<HostFacts>()
  const ended = Promise.withResolvers<HostEnd>()
  let isClosing = false
  let isLost = false
  let silence: SilenceWatch | null = null

  const lose = (code: 'ELOST' | 'EPROTO', why: string): void => {
    if (isLost) return
    isLost = true
    const errors = followed.errors()
    const message = `The host process for ${start.folder} is lost (${code}). ${why}${errors === '' ? '' : ` It printed: ${errors}`}`
    const failure = new EnvironmentFailure(code, message)
    clearTimeout(timer)
    silence?.dispose()
    channel.close()
    ready.reject(failure)
    calls.lose(isClosing ? new EnvironmentFailure('ELOST', `The host process for ${start.folder} was closed (ELOST).`) : failure)
    for (const end of shells.values()) end()
    void followed.end()
    ended.resolve(isClosing ? { kind: 'closed' } : { kind: 'lost', message })
  }
  const channel = openChannel<ToFar, ToNear>({
    input: child.stdout,
    output: child.stdin,
    schema: toNear,
    hasMarker: true,
    onMessage: (message, bytes) => take(message, bytes),
    // The end of the process says more, and comes at the same time.
    onEnd: (end) => (end.kind === 'broken' ? lose('EPROTO', end.message) : void followed.ended.then((why) => lose('ELOST', why))),
  })
  const calls = createCalls(channel)
  const hosts = createAskedHosts(channel)
  const shells: RemoteParts['shells'] = new Map()
  const timer = setTimeout(() => lose('ELOST', `It did not answer within ${startMs} ms.`), startMs)
  void followed.ended.then((why) => lose('ELOST', why))
  const take = (message: ToNear, bytes: Buffer): void => {
    silence?.heard()
    switch (message.kind) {
      case 'hello':
        return meet(message)
      case 'refused':
        return lose('EPROTO', message.message)
      case 'ready':
        return ready.resolve(message)
      case 'shell-ended':
        return shells.get(message.id)?.()
      case 'host':
        return hosts.take(message)
      case 'pong':
        return
      case 'piece':
      case 'content':
      case 'done':
      case 'failed':
      case 'event':
      case 'program':
        return calls.take(message, bytes)
    }
  }
  const meet = (hello: Hello): void => {
    mustBeSame(hello, start.build)
    silence ??= watchSilence(
      silenceMs,
      () => lose('ELOST', `Nothing was heard from it for ${silenceMs} ms.`),
      () => channel.send({ kind: 'ping' }),
    )
    channel.send({ kind: 'open', version: VERSION, build: start.build, silenceMs, ...folderRequest(start) })
  }
  const facts = await ready.promise
  clearTimeout(timer)
  const line = { channel, redactor: start.redactor ?? null }
  const site = remoteSite({ ...siteParts(start), calls, line, hosts, shells, facts, isLost: () => isLost })
  return {
    ...site,
    facts,
    ended: ended.promise,
    hold: (waits) => channel.send({ kind: 'hold', waits }),
    async close() {
      isClosing = true
      await followed.end()
      lose('ELOST', '')
      await ended.promise
    },
  }
}

type Hello = Extract<ToNear, { kind: 'hello' }>

function mustBeSame({ version, build }: Hello, wanted: string): void {
  if (version === VERSION && build === wanted) return
  throw new ProtocolError(`It is version ${version} (${build.slice(0, 12)}), but ${VERSION} (${wanted.slice(0, 12)}) is needed.`)
}

type Start = Omit<HostStart, 'silenceMs' | 'startMs'>

function folderRequest({ folder, data, options = {}, variables = {}, hidden = data === null ? [] : [data] }: Start) {
  return { folder, data, options, hidden: [...hidden], variables: { ...variables } }
}

const siteParts = ({
  data,
  blobs,
  isFar = false,
  denied = () => [],
}: Start): Pick<RemoteParts, 'confinements' | 'blobs' | 'denied' | 'isFar'> => ({
  isFar,
  confinements: new WeakMap(),
  blobs: data === null ? null : (blobs ?? null),
  denied,
})
