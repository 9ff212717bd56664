import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { FolderComparison } from '../../agent/ports/folder-comparison.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { VERSION } from '../../version.ts'
import { openChannel } from '../wire/channel.ts'
import { ProtocolError } from '../wire/frames.ts'
import { type HostFacts, type OpenRequest, type ToFar, type ToNear, toNear } from '../wire/messages.ts'
import { type SilenceWatch, watchSilence } from '../wire/silence.ts'
import { createCalls } from './calls.ts'
import { followChild, type HostChild } from './host-child.ts'
import { remoteComparison } from './remote-comparison.ts'
import { remoteFiles } from './remote-files.ts'
import { remotePrograms } from './remote-programs.ts'

/** How a host process ended. `lost`: against our will. */
type HostEnd = { readonly kind: 'closed' } | { readonly kind: 'lost'; readonly message: string }

export interface HostProcess {
  readonly environment: ExecutionEnvironment
  /** Finds what commands change in its folder. Ends with the host process. */
  readonly comparison: FolderComparison
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
   * A folder on the far side for notes about what a crash would leave behind. Each host process that may run at the same time needs its own.
   * Null to write none.
   */
  readonly data: string | null
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
    shells.lose()
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
  const { programs, shells } = remotePrograms(calls, { channel, redactor: start.redactor ?? null })
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
        return shells.ended(message.id)
      case 'pong':
        return
      case 'piece':
      case 'done':
      case 'failed':
      case 'event':
      case 'program':
        return calls.take(message, bytes)
    }
  }
  const meet = ({ version, build }: Extract<ToNear, { kind: 'hello' }>): void => {
    if (version !== VERSION || build !== start.build) {
      throw new ProtocolError(`It is version ${version} (${build.slice(0, 12)}), but ${VERSION} (${start.build.slice(0, 12)}) is needed.`)
    }
    silence ??= watchSilence(
      silenceMs,
      () => lose('ELOST', `Nothing was heard from it for ${silenceMs} ms.`),
      () => channel.send({ kind: 'ping' }),
    )
    const { folder, data, options = {}, variables = {} } = start
    channel.send({ kind: 'open', version: VERSION, build: start.build, folder, data, silenceMs, options, variables: { ...variables } })
  }
  const facts = await ready.promise
  clearTimeout(timer)
  return {
    facts,
    comparison: remoteComparison(calls),
    environment: {
      ...remoteFiles(calls),
      ...programs,
      async initialize() {
        await calls.call('initialize', {})
      },
      async cleanup() {
        if (!isLost) await calls.call('cleanup', {})
      },
      workingDirectory: () => facts.folder,
      platform: () => facts.platform,
      osVersion: () => facts.osVersion,
    },
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
