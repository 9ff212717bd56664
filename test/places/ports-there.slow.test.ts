import { basename, join } from 'node:path'
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ExecutionEnvironment } from '../../main/agent/ports/execution-environment.ts'
import { createForwards } from '../../main/forwarding/forwards.ts'
import { createPlaces, type Places } from '../../main/places/places.ts'
import type { Place } from '../../shared/places/address.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { sessionLayer } from '../environment/layers/session-layer.ts'
import { programPortsConformance } from '../conformance/program-ports.ts'
import { startContainer, type TestContainer, whyNoContainer } from './support/container.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

const SESSION = SessionId.parse('s_ports')

const openAt = async (places: Places, place: Place, folder: string): Promise<ExecutionEnvironment> => {
  const reached = await places.reach(place)
  if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
  return reached.value.createEnvironment(folder)
}

describe.skipIf(whyNoSshServer !== null)('the ports of programs on an ssh host', { timeout: 180_000 }, () => {
  let ssh: SshServer
  let places: Places
  const open = () => openAt(places, { kind: 'ssh', host: ssh.host, port: null }, realpathSync(mkdtempSync(join(ssh.folder, 'ports-'))))
  beforeAll(async () => {
    await buildGuest()
    ssh = await startSshServer()
    places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: ssh.config })
    await open()
  }, 180_000)
  afterAll(async () => {
    await places?.close()
    await ssh?.close()
  })

  programPortsConformance('over ssh', open)

  /** A web server there that serves one file of 16 MB. */
  const servedBy = async (env: ExecutionEnvironment) => {
    const folder = env.workingDirectory()
    writeFileSync(join(folder, 'big'), Buffer.alloc(16 * 1024 ** 2, 7))
    writeFileSync(join(folder, 'small'), 'hello from there')
    const script = 'import http.server as h; s = h.ThreadingHTTPServer(("127.0.0.1", 0), h.SimpleHTTPRequestHandler); s.serve_forever()'
    const program = await env.open(['python3', '-c', script])
    program.stdout.resume()
    program.stderr.resume()
    onTestFinished(() => program.kill())
    const ports = (): Promise<readonly number[]> => env.ports?.listening().then((all) => all.map(({ port }) => port)) ?? Promise.resolve([])
    await expect.poll(ports, { timeout: 30_000 }).toHaveLength(1)
    return { program, port: (await ports())[0] ?? 0 }
  }

  test('are opened on this computer only by a press, on loopback, carry a page and a large file, and close again', async () => {
    const env = await open()
    onTestFinished(() => env.cleanup())
    const forwards = createForwards(() => env.ports ?? null)
    onTestFinished(forwards.close)
    const { program, port } = await servedBy(env)
    expect(await forwards.list(SESSION)).toEqual([{ port, program: expect.stringMatching(/^python/u), url: null }])
    const pressed = await forwards.forward(SESSION, port)
    if (!pressed.ok) throw new Error(pressed.failure.what)
    const { url } = pressed.value
    // The port of that number is in use, because the other machine is this one.
    expect([url, new URL(url).port]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/u),
      expect.not.stringMatching(`^${port}$`),
    ])
    expect(await forwards.list(SESSION)).toMatchObject([{ port, url }])
    expect(await forwards.forward(SESSION, port)).toEqual(pressed)
    expect(await (await fetch(`${url}small`)).text()).toBe('hello from there')
    const all = await Promise.all([1, 2, 3].map(async () => Buffer.from(await (await fetch(`${url}big`)).arrayBuffer())))
    expect(all.map((bytes) => [bytes.length, bytes.every((byte) => byte === 7)])).toEqual([1, 2, 3].map(() => [16 * 1024 ** 2, true]))
    await program.kill()
    await expect.poll(() => forwards.list(SESSION)).toEqual([{ port, program: null, url }])
    await expect(fetch(`${url}small`)).rejects.toThrow()
    await forwards.stop(SESSION, port)
    expect(await forwards.list(SESSION)).toEqual([])
    const again = createServer().listen(Number(new URL(url).port), '127.0.0.1')
    await once(again, 'listening')
    again.close()
  })

  test('a forwarded port is closed when the session closes, with its connections', async () => {
    const env = await open()
    onTestFinished(() => env.cleanup())
    const state = { isOpen: true }
    const forwards = createForwards(() => (state.isOpen ? (env.ports ?? null) : null))
    onTestFinished(forwards.close)
    const { port } = await servedBy(env)
    const pressed = await forwards.forward(SESSION, port)
    const url = pressed.ok ? pressed.value.url : ''
    // The server there waits for a request, so this connection stays open.
    const connection = connect(Number(new URL(url).port), '127.0.0.1').resume()
    await once(connection, 'connect')
    expect(await (await fetch(`${url}small`)).text()).toBe('hello from there')
    const closed = once(connection, 'close')
    state.isOpen = false
    await closed
    await expect(fetch(`${url}small`)).rejects.toThrow()
    expect(await forwards.list(SESSION)).toEqual([])
    expect(await forwards.forward(SESSION, port)).toMatchObject({ ok: false, failure: { code: 'port_not_forwarded' } })
  })
})

describe.skipIf(whyNoContainer !== null)('the ports of programs in a container', { timeout: 180_000 }, () => {
  let container: TestContainer
  let places: Places
  const open = () =>
    openAt(
      places,
      { kind: 'container', name: container.name },
      join(container.inside, basename(mkdtempSync(join(container.folder, 'ports-')))),
    )
  beforeAll(async () => {
    await buildGuest()
    container = startContainer()
    places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true) })
    await open()
  }, 180_000)
  afterAll(async () => {
    await places?.close()
    container?.close()
  })

  programPortsConformance('in a container', open)
})

test.skipIf(hasNoCopies)(
  'a port in a session’s layer on this computer, which has a network of its own, is opened by a press',
  { timeout: 60_000 },
  async () => {
    const { environment } = await sessionLayer('overlay', { small: 'hello from the layer' })
    onTestFinished(() => environment.cleanup())
    const forwards = createForwards(() => environment.ports ?? null)
    onTestFinished(forwards.close)
    const program = await environment.open(['python3', '-m', 'http.server', '--bind', '127.0.0.1', '8000'])
    program.stdout.resume()
    program.stderr.resume()
    await expect
      .poll(() => forwards.list(SESSION), { timeout: 30_000 })
      .toEqual([{ port: 8000, program: expect.stringMatching(/^python/u), url: null }])
    const pressed = await forwards.forward(SESSION, 8000)
    if (!pressed.ok) throw new Error(pressed.failure.what)
    expect(await (await fetch(`${pressed.value.url}small`)).text()).toBe('hello from the layer')
  },
)
