import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { ProgramPorts } from '../agent/ports/opened-program.ts'
import { codeOf } from '../environment/environment-failure.ts'

/** A port of this computer that leads to a program's port. */
export interface Forward {
  /** The port of this computer, only on its loopback address. */
  readonly here: number
  /** Ends all connections and frees the port. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** The codes of a port that another program uses, or that needs more rights. */
const TAKEN: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES'])

/**
 * Leads connections on this computer to a program's port: under the same number if it is free, otherwise under any. `ports`: looked up for
 * each connection. Null ends the connection.
 */
export async function forwardPort(port: number, ports: () => ProgramPorts | null): Promise<Forward> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    void carry(socket, ports(), port)
  })
  const here = await listen(server, port).catch((error: unknown) => {
    if (TAKEN.has(codeOf(error) ?? '')) return listen(server, 0)
    throw error
  })
  return {
    here,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, LOOPBACK, resolve)
  try {
    await promise
  } finally {
    server.off('error', reject)
  }
  return (server.address() as AddressInfo).port
}

/** Carries a connection until one side ends it. If the port cannot be reached, ends it at once. */
async function carry(socket: Socket, ports: ProgramPorts | null, port: number): Promise<void> {
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  socket.on('error', () => {})
  try {
    if (ports === null) throw new Error('Nothing runs there.')
    const there = await ports.dial(port, closed.signal)
    socket.once('close', () => void there.kill())
    there.stderr.resume()
    socket.pipe(there.stdin)
    there.stdout.pipe(socket)
  } catch {
    socket.destroy()
  }
}
