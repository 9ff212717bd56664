import { Readable, Writable } from 'node:stream'
import { callbackify } from 'node:util'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { OpenedProgram, ProgramExit } from '../../agent/ports/opened-program.ts'
import type { Channel } from '../wire/channel.ts'
import { ProtocolError } from '../wire/frames.ts'
import type { OutputName, ProgramEvent, ToFar } from '../wire/messages.ts'
import { createStreamCredit, STREAM_PIECE, STREAM_WINDOW } from '../wire/stream-credit.ts'
import type { CallOptions } from './calls.ts'

const UNKNOWN: ProgramExit = { exitCode: null, signal: null }

/** Opens pipes to the far side. `begin`: makes the call that opens them, with these options. */
export async function openRemotePipes(
  channel: Channel<ToFar>,
  begin: (options: CallOptions) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<OpenedProgram> {
  signal?.throwIfAborted()
  const stop = new AbortController()
  const opened = Promise.withResolvers<void>()
  const exit = Promise.withResolvers<ProgramExit>()
  let id = 0
  const stdin = remoteInput((message, bytes) => channel.send({ ...message, id }, bytes))
  const read = (stream: OutputName) => (count: number) => channel.send({ kind: 'read', id, stream, count })
  const outputs = { stdout: remoteOutput(read('stdout')), stderr: remoteOutput(read('stderr')) }
  const hasEnded = (how: ProgramExit): void => {
    stdin.end()
    exit.resolve(how)
  }
  const onProgram = (event: ProgramEvent, bytes: Buffer): void => {
    switch (event.of) {
      case 'opened':
        return opened.resolve()
      case 'output':
        return outputs[event.stream].take(bytes)
      case 'output-end':
        return outputs[event.stream].end()
      case 'input-taken':
        return stdin.taken(event.count)
      case 'exit':
        return hasEnded({ exitCode: event.exitCode, signal: event.signal })
      default:
        return assertNever(event)
    }
  }
  const until = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  begin({ signal: until, answersAbort: true, onId: (own) => (id = own), onProgram })
    .catch((error: unknown) => opened.reject(signal?.aborted ? signal.reason : error))
    .finally(() => {
      hasEnded(UNKNOWN)
      for (const output of Object.values(outputs)) output.end()
    })
  await opened.promise
  return {
    stdin: stdin.stream,
    stdout: outputs.stdout.stream,
    stderr: outputs.stderr.stream,
    ended: exit.promise,
    async kill() {
      stop.abort()
      await exit.promise
    },
  }
}

type InputMessage = { readonly kind: 'input' } | { readonly kind: 'input-end' }

interface RemoteInput {
  readonly stream: Writable
  taken(bytes: number): void
  /** Call this when the program has ended. */
  end(): void
}

function remoteInput(send: (message: InputMessage, bytes?: Uint8Array) => void): RemoteInput {
  const credit = createStreamCredit()
  const sendAll = async (chunk: Buffer): Promise<void> => {
    for (let from = 0; from < chunk.length; from += STREAM_PIECE) {
      const piece = chunk.subarray(from, from + STREAM_PIECE)
      send({ kind: 'input' }, piece)
      await credit.spend(piece.length)
    }
  }
  const stream = new Writable({
    write: callbackify(async (chunk: Buffer, _encoding: unknown) => sendAll(chunk)),
    final(done) {
      send({ kind: 'input-end' })
      done()
    },
  })
  // What is written to a program that has ended is dropped.
  stream.on('error', () => {})
  return {
    stream,
    taken: credit.give,
    end() {
      credit.close()
      stream.destroy()
    },
  }
}

interface RemoteOutput {
  readonly stream: Readable
  take(bytes: Buffer): void
  end(): void
}

/** `tell`: called with the number of bytes for which there is room again. */
function remoteOutput(tell: (bytes: number) => void): RemoteOutput {
  let untold = 0
  let hasEnded = false
  const tellAll = (): void => {
    if (untold > 0) tell(untold)
    untold = 0
  }
  const stream = new Readable({
    read: tellAll,
    destroy(error, done) {
      tellAll()
      done(error)
    },
  })
  return {
    stream,
    take(bytes) {
      untold += bytes.length
      if (hasEnded || untold > STREAM_WINDOW + STREAM_PIECE) throw new ProtocolError('A program printed more than was allowed.')
      // Nobody reads the output any more, but the program may go on.
      if (stream.destroyed) tellAll()
      else stream.push(bytes)
    },
    end() {
      hasEnded = true
      stream.push(null)
    },
  }
}
