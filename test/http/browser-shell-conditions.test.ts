import { connect as connectTcp, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startHttpShell } from '../../main/http/http-shell.ts'
import { SignedOut } from '../../renderer/wire/sign-in.ts'
import { type PageSocket, websocketWire } from '../../renderer/wire/websocket-wire.ts'
import { BrowserLike, ask } from './page-like.ts'
import { type RunningShell, runningShell } from './shell-on-a-page.ts'

/** The conditions of DESIGN §1 for the browser shell. Each one is tested on the running server. */
describe('browser shell', () => {
  let running: RunningShell
  let own: string
  beforeEach(async () => {
    running = await runningShell()
    own = `127.0.0.1:${running.port}`
  })
  afterEach(async () => {
    await running.stop()
    expect(running.bugs).toEqual([])
  })

  const upgraded = (browser: BrowserLike, headers: Record<string, string>): Promise<number | 'open'> =>
    new Promise((resolve, reject) => {
      const socket = browser.socket(headers)
      socket.on('open', () => {
        socket.terminate()
        resolve('open')
      })
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
      socket.on('error', reject)
    })

  const closeCode = (browser: BrowserLike, first: string | Buffer): Promise<number> =>
    new Promise((resolve) => {
      const socket = browser.socket()
      socket.on('open', () => socket.send(first))
      socket.on('close', resolve)
    })

  describe('foreign origin', () => {
    it.each([
      'http://evil.example',
      'https://127.0.0.1',
      'null',
      'http://127.0.0.1:1',
      'http://localhost',
      'file://',
      'http://127.0.0.1.evil.example',
    ])('pages of %s are refused on each request and upgrade, and cannot read the answer', async (origin) => {
      const browser = new BrowserLike(running.port)
      await browser.signIn(running.fragment())
      const headers = { origin, authorization: `Bearer ${browser.secret}` }
      const answers = await Promise.all([
        ask(running.port, '/', { headers }),
        ask(running.port, '/assets/index-1a2b.js', { headers }),
        ask(running.port, '/session', { method: 'POST', headers: { ...headers, authorization: `Bearer ${running.fragment().slice(1)}` } }),
        ask(running.port, '/socket-token', { method: 'POST', headers }),
        ask(running.port, '/socket-token', { method: 'OPTIONS', headers }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
      for (const answer of answers) {
        expect(answer.headers['set-cookie']).toBeUndefined()
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
      expect(await upgraded(browser, { origin })).toBe(403)
    })

    it('a request without an Origin header gets neither a socket token nor a socket', async () => {
      const browser = new BrowserLike(running.port)
      await browser.signIn(running.fragment())
      expect(
        (await ask(running.port, '/socket-token', { method: 'POST', headers: { authorization: `Bearer ${browser.secret}` } })).status,
      ).toBe(403)
      const without = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      }
      const { status } = await ask(running.port, '/wire', { headers: without })
      expect(status).toBe(403)
    })

    it('another page of this machine can link to the app, but cannot load or embed anything', async () => {
      const from = (site: string, mode: string, dest: string, path: string) =>
        ask(running.port, path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } }).then(
          ({ status }) => status,
        )
      expect(
        await Promise.all([
          from('cross-site', 'navigate', 'document', '/'),
          from('none', 'navigate', 'document', '/'),
          from('same-origin', 'cors', 'script', '/assets/index-1a2b.js'),
          from('same-site', 'no-cors', 'script', '/assets/index-1a2b.js'),
          from('cross-site', 'no-cors', 'image', '/mark.svg'),
          from('cross-site', 'navigate', 'iframe', '/'),
          from('cross-site', 'navigate', 'document', '/mark.svg'),
        ]),
      ).toEqual([200, 200, 200, 403, 403, 403, 403])
    })
  })

  describe('DNS rebinding', () => {
    it.each([
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1@evil.example',
      '0.0.0.0',
      '127.0.0.2',
      '[::]',
      'localhost:80:80',
      'localhost.',
    ])('the name "%s", which resolves to this machine, is refused for page, exchange and socket', async (name) => {
      const host = name.includes(':80') ? name : `${name}:${running.port}`
      const headers = { host, origin: `http://${host}` }
      const browser = new BrowserLike(running.port)
      const answers = await Promise.all([
        ask(running.port, '/', { headers: { host } }),
        ask(running.port, '/session', { method: 'POST', headers: { ...headers, authorization: `Bearer ${running.fragment().slice(1)}` } }),
        upgraded(browser, headers),
      ])
      expect(answers.map((answer) => (typeof answer === 'object' ? answer.status : answer))).toEqual([421, 421, 421])
    })

    it.each([
      ['no host header', 'GET / HTTP/1.1\r\n\r\n', 400],
      ['no host header, in HTTP 1.0', 'GET / HTTP/1.0\r\n\r\n', 421],
      ['an empty host header', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 421],
      ['two host headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n', 421],
      ['a foreign host in the request line', 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421],
    ])('a request with %s is refused', async (_, request, status) => {
      const socket = connectTcp(running.port, '127.0.0.1')
      const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
      socket.write(request)
      expect((await answer).split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      socket.destroy()
    })

    it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('the loopback name %s is served', async (name) => {
      const browser = new BrowserLike(running.port, `${name}:${running.port}`)
      expect(await browser.signIn(running.fragment())).toMatch(/^[\w-]{43}$/)
    })
  })

  describe('token', () => {
    it('the address contains 256 random bits in its fragment, which no server and no log sees', () => {
      const address = new URL(running.shell.address())
      expect([address.origin, address.pathname, address.search]).toEqual([`http://${own}`, '/', ''])
      expect(address.hash).toMatch(/^#[\w-]{43}$/)
      expect(Buffer.from(address.hash.slice(1), 'base64url').length).toBe(32)
    })

    it('the token is exchanged for a secret of this launch, and the server never sets a cookie', async () => {
      const other = await runningShell()
      const secrets = await Promise.all(
        [running, other].map(async (shell) => {
          const origin = `http://127.0.0.1:${shell.port}`
          const post = (path: string, authorization: string) =>
            ask(shell.port, path, { method: 'POST', headers: { origin, authorization } })
          const exchanged = await post('/session', `Bearer ${shell.fragment().slice(1)}`)
          const token = await post('/socket-token', `Bearer ${exchanged.text.trim()}`)
          const page = await ask(shell.port, '/')
          expect([exchanged, token, page].map(({ status, headers }) => [status, headers['set-cookie']])).toEqual(
            Array(3).fill([200, undefined]),
          )
          expect([exchanged, token].map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store'])
          return exchanged.text.trim()
        }),
      )
      await other.stop()
      for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
      expect(new Set(secrets).size).toBe(2)
    })

    it('the token works only once', async () => {
      const fragment = running.fragment()
      await new BrowserLike(running.port).signIn(fragment)
      await expect(new BrowserLike(running.port).signIn(fragment)).rejects.toThrow(SignedOut)
      expect(await new BrowserLike(running.port).signIn(running.fragment())).toMatch(/^[\w-]{43}$/)
    })

    it.each([
      ['missing', ''],
      ['wrong', `#${'a'.repeat(43)}`],
      ['cut off', '#abc'],
    ])('without the right token (%s) the page gets no secret and is signed out', async (_, fragment) => {
      const browser = new BrowserLike(running.port)
      await expect(browser.signIn(fragment)).rejects.toThrow(SignedOut)
      expect(browser.secret).toBe(null)
    })

    it.each([
      ['of another launch', { authorization: `Bearer ${'a'.repeat(43)}` }],
      ['that is empty', { authorization: 'Bearer ' }],
      ['that is missing', {}],
    ])('a request with a page secret %s gets no socket token', async (_, shown) => {
      const headers = { origin: `http://${own}`, ...shown }
      expect((await ask(running.port, '/socket-token', { method: 'POST', headers })).status).toBe(401)
    })

    it('a request with the page secret in a cookie gets no socket token, because other servers could replay the cookie', async () => {
      const browser = new BrowserLike(running.port)
      await browser.signIn(running.fragment())
      const headers = { origin: `http://${own}`, cookie: `countersign=${browser.secret}; countersign-page-secret=${browser.secret}` }
      expect((await ask(running.port, '/socket-token', { method: 'POST', headers })).status).toBe(401)
    })

    it('a window with the secret of an earlier launch discards it, and uses the secret of another window', async () => {
      const signedIn = new BrowserLike(running.port)
      await signedIn.signIn(running.fragment())
      const stale = new BrowserLike(running.port)
      stale.secret = 'a'.repeat(43)
      await expect(stale.signIn('')).rejects.toThrow(SignedOut)
      expect(stale.secret).toBe(null)
      stale.otherWindow = signedIn.secret
      expect(await stale.signIn('')).toMatch(/^[\w-]{43}$/)
      expect(stale.secret).toBe(signedIn.secret)
    })
  })

  describe('first frame', () => {
    it.each([
      ['a wrong token', () => JSON.stringify({ kind: 'hello', token: 'a'.repeat(43) })],
      ['a call instead of a token', () => JSON.stringify({ kind: 'call', id: 1, name: 'app.hello', input: {} })],
      ['text that is not JSON', () => 'hello'],
      ['binary data', () => Buffer.from('{"kind":"hello"}')],
      ['the page secret', (browser: BrowserLike) => JSON.stringify({ kind: 'hello', token: browser.secret })],
    ])('a socket that begins with %s is closed with 4401 and never becomes a wire', async (_, first) => {
      const browser = new BrowserLike(running.port)
      await browser.signIn(running.fragment())
      expect(await closeCode(browser, first(browser))).toBe(4401)
      expect(running.wires).toEqual([])
    })

    it('a socket token opens one socket', async () => {
      const browser = new BrowserLike(running.port)
      const token = await browser.signIn(running.fragment())
      await websocketWire(browser.socket() as unknown as PageSocket, token)
      expect(await closeCode(browser, JSON.stringify({ kind: 'hello', token }))).toBe(4401)
      await expect(websocketWire(browser.socket() as unknown as PageSocket, token)).rejects.toThrow('the token is not valid')
    })

    it('nothing that a socket sends after a wrong token is executed', async () => {
      const browser = new BrowserLike(running.port)
      const code = new Promise<number>((resolve) => {
        const socket = browser.socket()
        socket.on('open', () => {
          socket.send('wrong')
          for (let index = 0; index < 50; index++) socket.send(JSON.stringify({ kind: 'call', id: index, name: 'app.hello', input: {} }))
        })
        socket.on('close', resolve)
      })
      expect([await code, running.wires]).toEqual([4401, []])
    })

    it('silent sockets cannot block the page: if there are too many, the oldest is closed', async () => {
      const browser = new BrowserLike(running.port)
      const opened = () => {
        const socket = browser.socket()
        return new Promise<typeof socket>((resolve) => socket.on('open', () => resolve(socket)))
      }
      const oldest = await opened()
      const cut = new Promise((resolve) => oldest.on('close', resolve))
      const others = await Promise.all(Array.from({ length: 64 }, opened))
      await cut
      await browser.wire(running.fragment())
      expect(running.wires.length).toBe(1)
      others.forEach((socket) => socket.terminate())
    })

    it('a socket at another path is refused', async () => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        origin: `http://${own}`,
        'sec-websocket-version': '13',
        'sec-websocket-key': 'x',
      }
      expect((await ask(running.port, '/', { headers })).status).toBe(404)
    })
  })

  it('a thousand silent connections are closed, and do not keep a page from being served', async () => {
    const silent = Array.from({ length: 1_000 }, () => connectTcp(running.port, '127.0.0.1'))
    const ends = silent.map(
      (socket) =>
        new Promise((resolve) => {
          socket.on('error', () => {})
          socket.once('close', resolve)
        }),
    )
    const first = Promise.all(ends.slice(0, 900))
    await new BrowserLike(running.port).wire(running.fragment())
    await first
    // The remaining connections are closed because they send nothing.
    await Promise.all(ends)
  })

  it('the server listens only on 127.0.0.1', async () => {
    const other = createServer()
    const free = new Promise<boolean>((resolve) => {
      other.once('error', () => resolve(false))
      other.listen(running.port, '127.0.0.2', () => resolve(true))
    })
    expect(await free).toBe(true)
    await new Promise((resolve) => other.close(resolve))
  })

  it('closing the shell tells every page the reason and frees the port, even if a page hangs', async () => {
    const page = await new BrowserLike(running.port).wire(running.fragment())
    const reason = new Promise<string>((resolve) => page.onClose(resolve))
    const hanging = new BrowserLike(running.port).socket()
    await new Promise((resolve) => hanging.on('open', resolve))
    hanging.on('error', () => {})
    hanging.pause()
    await running.shell.close()
    expect(await reason).toBe('Countersign is ending')
    const again = await startHttpShell({ port: running.port, assets: running.assets, onWire: () => {}, onBug: () => {} })
    expect(again.ok).toBe(true)
    if (again.ok) await again.value.close()
  })
})
