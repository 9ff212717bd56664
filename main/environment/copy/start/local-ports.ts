import { open } from 'node:fs/promises'
import { connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** The beginning of the path of a socket for a granted port inside a copy. The port follows. */
export const PORT_SOCKET_INSIDE = '/run/countersign-port-'

/** Ports of this machine that a copy can reach under the same number. */
export interface LocalPorts {
  /** The real path of the socket for each port. */
  readonly sockets: ReadonlyMap<number, string>
  close(): Promise<void>
}

/** Opens a socket in `folder` for each port. A connection to such a socket is forwarded to the port of this machine. */
export async function openLocalPorts(folder: string, ports: readonly number[]): Promise<LocalPorts> {
  const { createServer } = process.getBuiltinModule('node:net')
  const open = new Set<Socket>()
  const servers: Server[] = []
  const sockets = new Map<number, string>()
  for (const port of ports) {
    const server = createServer((inside) => forward(inside, port, open))
    servers.push(server)
    const name = `port-${port}`
    await listen(server, folder, name)
    sockets.set(port, join(folder, name))
  }
  return {
    sockets,
    async close() {
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      for (const socket of open) socket.destroy()
      await Promise.all(closed)
    },
  }
}

function forward(inside: Socket, port: number, open: Set<Socket>): void {
  const outside = connect({ port, host: 'localhost' })
  for (const [one, other] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    open.add(one)
    one.on('error', () => other.destroy())
    one.once('close', () => {
      open.delete(one)
      other.destroy()
    })
    one.pipe(other)
  }
}

/** Paths of sockets may be at most 107 bytes long, so a short path through the open folder is used. */
export async function listen(server: Pick<Server, 'once' | 'listen'>, folder: string, name: string): Promise<void> {
  const handle = await open(folder)
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(`/proc/self/fd/${handle.fd}/${name}`, () => listening.resolve())
  try {
    await listening.promise
  } finally {
    await handle.close()
  }
}
