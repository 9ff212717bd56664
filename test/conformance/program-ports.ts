import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import type { ProgramPorts } from '../../main/agent/ports/opened-program.ts'
import { failureOf } from '../environment/support.ts'

/** Listens on a port of the system's choice and says which. Answers each connection with all that it sent, when it has sent all. */
const SERVER = `
import socket, sys, threading
server = socket.create_server(('127.0.0.1', 0))
print(server.getsockname()[1], flush=True)
def answer(client):
    got = b''
    while piece := client.recv(65536): got += piece
    client.sendall(got)
    client.close()
while True: threading.Thread(target=answer, args=server.accept()[:1]).start()
`

/** Tests the promises of `ExecutionEnvironment.ports`. `create` returns an environment over an empty folder. */
export function programPortsConformance(name: string, create: () => Promise<ExecutionEnvironment> | ExecutionEnvironment): void {
  const open = async (): Promise<{ readonly env: ExecutionEnvironment; readonly ports: ProgramPorts }> => {
    const env = await create()
    onTestFinished(() => env.cleanup())
    if (!env.ports) throw new Error('This environment has no ports.')
    return { env, ports: env.ports }
  }
  const serve = async (env: ExecutionEnvironment) => {
    const program = await env.open(['python3', '-c', SERVER])
    program.stderr.resume()
    const port = await new Promise<number>((resolve) => program.stdout.once('data', (line: Buffer) => resolve(Number(String(line)))))
    program.stdout.resume()
    return { port, program }
  }

  describe(`${name}: the ports of programs`, { timeout: 60_000 }, () => {
    it('are empty before anything runs, and then list each program that listens, until it ends', async () => {
      const { env, ports } = await open()
      expect(await ports.listening()).toEqual([])
      await env.initialize()
      const one = await serve(env)
      const two = await serve(env)
      const listed = (await ports.listening()).map(({ port, program }) => [port, program.replace(/[\d.]+$/u, '')])
      expect(listed).toEqual([one.port, two.port].toSorted((a, b) => a - b).map((port) => [port, 'python']))
      await one.program.kill()
      await expect.poll(async () => (await ports.listening()).map(({ port }) => port)).toEqual([two.port])
    })

    it('carry 8 MB in both directions unchanged, each end on its own', async () => {
      const { env, ports } = await open()
      const { port } = await serve(env)
      const sent = randomBytes(8 * 1024 ** 2)
      const connection = await ports.dial(port)
      connection.stderr.resume()
      // The program answers only after the end of what it gets.
      connection.stdin.end(sent)
      const got = await buffer(connection.stdout)
      expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'))
      await connection.ended
    })

    it('reject what cannot be reached with the system’s code, and a connection can be cut', async () => {
      const { env, ports } = await open()
      const { port, program } = await serve(env)
      const connection = await ports.dial(port)
      connection.stdout.resume()
      connection.stderr.resume()
      await connection.kill()
      await connection.ended
      await program.kill()
      expect(await failureOf(ports.dial(port))).toMatchObject({ code: 'ECONNREFUSED' })
    })
  })
}
