import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import type { OpenedProgram, ProgramExit } from '../../agent/ports/opened-program.ts'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'

/** Connects to a port of this machine. See `ProgramPorts.dial`. */
export async function dialPort(port: number, signal?: AbortSignal): Promise<OpenedProgram> {
  signal?.throwIfAborted()
  const socket = connect({ port, host: 'localhost', allowHalfOpen: true })
  const closed = Promise.withResolvers<ProgramExit>()
  socket.once('close', () => closed.resolve({ exitCode: null, signal: null }))
  try {
    await once(socket, 'connect', { signal })
  } catch (error) {
    socket.destroy()
    signal?.throwIfAborted()
    const code = codeOf(error) ?? 'ECONNREFUSED'
    throw new EnvironmentFailure(code, `Port ${port} could not be reached (${code}).`)
  }
  // A lost connection ends both directions.
  socket.on('error', () => {})
  const received = socket.pipe(new PassThrough())
  socket.once('close', () => received.end())
  const onAbort = (): void => void socket.destroy()
  signal?.addEventListener('abort', onAbort, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', onAbort))
  return {
    stdin: socket,
    stdout: received,
    stderr: Readable.from([]),
    ended: closed.promise,
    async kill() {
      socket.destroy()
      await closed.promise
    },
  }
}
