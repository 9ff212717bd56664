import { release } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { NO_NOTES } from '../../environment/crash-notes.ts'
import { addShellVariables } from '../../environment/launch-environment.ts'
import { VERSION } from '../../version.ts'
import { openChannel } from '../wire/channel.ts'
import { MARKER } from '../wire/marker.ts'
import { type FarRequest, type OpenRequest, type ToFar, type ToNear, toFar } from '../wire/messages.ts'
import { type SilenceWatch, watchSilence } from '../wire/silence.ts'
import { openNotes } from './notes-folder.ts'
import { openFolder } from './open-folder.ts'
import { serveCalls } from './serve-calls.ts'

/** Time limit in ms for the first message. A host process that nobody speaks to must not stay. */
const FIRST_MESSAGE_MS = 60_000

export interface HostStreams {
  readonly input: Readable
  readonly output: Writable
}

/**
 * Serves the environment of this machine over two streams. Resolves with a reason when the other side has closed its stream, is silent or
 * broke the protocol, or `stop` was aborted, and everything that was started here has ended.
 */
export async function serveHost({ input, output }: HostStreams, build: string, stop: AbortSignal): Promise<string> {
  const ended = Promise.withResolvers<string>()
  stop.addEventListener('abort', () => ended.resolve('It was stopped by a signal.'), { once: true })
  let serve: ((message: FarRequest, bytes: Buffer) => void) | null = null
  let cleanUp: () => Promise<void> = () => Promise.resolve()
  let silence: SilenceWatch = watchSilence(FIRST_MESSAGE_MS, () => ended.resolve('Nobody spoke to it.'))
  output.write(MARKER)
  const channel = openChannel<ToNear, ToFar>({
    input,
    output,
    schema: toFar,
    hasMarker: false,
    onEnd: (why) => ended.resolve(why.kind === 'end' ? 'The connection was closed.' : why.message),
    onMessage(message, bytes) {
      silence.heard()
      if (message.kind === 'ping') return channel.send({ kind: 'pong' })
      if (message.kind !== 'open') return serve === null ? ended.resolve('A call came too early.') : serve(message, bytes)
      if (serve !== null) return ended.resolve('It was opened twice.')
      if (message.version !== VERSION || message.build !== build)
        return refuse('This host process belongs to another build of Countersign.')
      silence.dispose()
      silence = watchSilence(message.silenceMs, () => ended.resolve('The other side was silent.'))
      void open(message)
    },
  })
  const refuse = (message: string): void => {
    channel.send({ kind: 'refused', message })
    ended.resolve(message)
  }
  const open = async ({ variables, ...request }: OpenRequest): Promise<void> => {
    try {
      if (Object.keys(variables).length > 0) addShellVariables(variables)
      const notes = request.data === null ? NO_NOTES : await openNotes(request.data)
      const folder = openFolder(request, notes)
      cleanUp = folder.close
      serve = serveCalls(folder, channel)
      channel.send({
        kind: 'ready',
        pid: process.pid,
        folder: folder.environment.workingDirectory(),
        platform: process.platform,
        osVersion: release(),
        recovered: await folder.recovered,
      })
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error))
    }
  }
  channel.send({ kind: 'hello', version: VERSION, build })
  const why = await ended.promise
  silence.dispose()
  await cleanUp()
  channel.close()
  return why
}
