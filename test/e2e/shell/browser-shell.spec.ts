import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, expect } from 'playwright/test'
import { rolldown } from 'rolldown'
import { WebSocket } from 'ws'
import { runBrowserShell } from '../../../main/http/browser-shell.ts'
import { ok } from '../../../shared/lib/result.ts'
import { Bench, benchContract } from '../../conformance/wire-bench.ts'
import { ask } from '../../http/page-like.ts'
import { test } from '../support/page-test.ts'

/**
 * The conditions of the browser shell (DESIGN §1, §8) in a real Chromium, with the real server and the page's real wire on a minimal
 * page. These tests show what only the browser decides. `test/http` shows what the server decides.
 */
let pageFolder: string
test.beforeAll(async () => {
  pageFolder = await mkdtemp(join(tmpdir(), 'countersign-page-'))
  const bundle = await rolldown({ input: fileURLToPath(new URL('../../http/page-entry.ts', import.meta.url)), platform: 'browser' })
  await bundle.write({ file: join(pageFolder, 'page.js'), format: 'esm' })
  await bundle.close()
  await writeFile(
    join(pageFolder, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><link rel="icon" href="data:,"><body><script>document.title = "inline script ran"</script><script type="module" nonce="__CSP_NONCE__" src="./page.js"></script>',
  )
  await writeFile(join(pageFolder, 'asset-list.json'), JSON.stringify(['index.html', 'page.js']))
})
test.afterAll(() => rm(pageFolder, { recursive: true }))

let address: () => string
let stop: () => Promise<void>
test.beforeEach(() => start(0))

async function start(onPort: number): Promise<void> {
  const abort = new AbortController()
  const ready = Promise.withResolvers<() => string>()
  const ended = runBrowserShell({
    port: onPort,
    pageFolder,
    signal: abort.signal,
    onReady: ready.resolve,
    onBug: (error) => ready.reject(error),
    createApp: () => Promise.resolve(ok({ contract: benchContract, handlers: new Bench().handlers, close: () => Promise.resolve() })),
  })
  // If the shell cannot start, the tests fail with the reason instead of waiting.
  void ended.then((trouble) => ready.reject(new Error(trouble?.what ?? 'The shell ended before it was ready.')), ready.reject)
  address = await ready.promise
  stop = async () => {
    abort.abort()
    await ended
  }
}

test.afterEach(() => stop())

const state = (page: Page) => page.locator('body')

async function opened(page: Page, at: string, connection = 'browser-1'): Promise<void> {
  await page.goto(at)
  await expect(state(page)).toHaveText(connection)
}

const port = (): number => Number(new URL(address()).port)

/**
 * A server on another port of this machine, visited in the same browser. The server records what it learns about our server, and shows what
 * it could do with that knowledge.
 */
interface SpyingServer {
  readonly url: string
  /** Returns every value of every request header that the server received, and everything that its own page could read. */
  learned(): readonly string[]
  /**
   * Sends each value to our server in every way in which our own page could send a secret: as a cookie, as a header, and as the first
   * frame. Returns the server's answers.
   */
  replayed(host: string): Promise<readonly string[]>
  close(): void
}

async function spyingServer(host: string): Promise<SpyingServer> {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    for (const value of request.rawHeaders.filter((_, at) => at % 2 === 1)) seen.add(value)
    request.on('data', (chunk: Buffer) => seen.add(chunk.toString()))
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>dev server</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const learned = (): readonly string[] =>
    [...seen].flatMap((value) => [value, ...value.split(/[;=\s"]+/)]).filter((value) => value.length > 0)
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    learned,
    replayed: async (ours) => (await Promise.all([...new Set(learned())].map((value) => replay(ours, value)))).flat(),
    close: () => server.close(),
  }
}

/** Sends requests from a process, which can forge every header that a browser does not let a page set. */
async function replay(ours: string, value: string): Promise<readonly string[]> {
  const plain = value.replaceAll(/[^\x20-\x7e]/g, '')
  const post = (path: string, headers: Record<string, string>): Promise<string> =>
    ask(Number(ours.split(':')[1]), path, { method: 'POST', headers: { origin: `http://${ours}`, ...headers } }).then(
      ({ status }) => `${path} ${status}`,
    )
  const socket = new WebSocket(`ws://${ours}/wire`, { headers: { origin: `http://${ours}`, cookie: plain } })
  const opened = new Promise<string>((resolve) => {
    socket.on('error', () => {})
    socket.on('open', () => socket.send(JSON.stringify({ kind: 'hello', token: value.slice(0, 100) })))
    socket.on('message', () => resolve('socket welcomed'))
    socket.on('close', (code) => resolve(`socket ${code}`))
  })
  return Promise.all([
    post('/session', { authorization: `Bearer ${plain}` }),
    post('/socket-token', { authorization: `Bearer ${plain}` }),
    post('/socket-token', { cookie: plain }),
    opened,
  ])
}

async function otherSite(html: string): Promise<{ readonly url: string; asked(): readonly string[]; close(): void }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: () => asked, close: () => server.close() }
}

test('the page signs in with the token in its address, removes the token at once, and connects under its content security policy', async ({
  page,
}) => {
  const violations: string[] = []
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  await opened(page, address())
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await page.evaluate(() => window.sumTo?.(20_000))).toBe(199_990_000)
  // The inline script of the page is the only thing that the policy had to block.
  expect([await page.title(), violations]).toEqual(['', [expect.stringContaining("script-src 'self'")]])
})

test('after a reload the page connects again with the secret that the window stores', async ({ page }) => {
  await opened(page, address())
  await page.reload()
  await expect(state(page)).toHaveText('browser-2')
})

test('a second window of the same browser needs no token, but another browser does', async ({ page, context, browser }) => {
  await opened(page, address())
  const second = await context.newPage()
  await opened(second, `http://127.0.0.1:${port()}/`, 'browser-2')
  const stranger = await browser.newContext()
  const other = await stranger.newPage()
  await other.goto(`http://127.0.0.1:${port()}/`)
  await expect(state(other)).toHaveText('This window is not signed in. Open the address that Countersign prints in its terminal.')
  await other.goto('about:blank')
  await opened(other, address(), 'browser-3')
  await stranger.close()
})

test('an address that one browser has already opened is refused in another browser', { tag: '@slow' }, async ({ page, browser }) => {
  const used = address()
  await opened(page, used)
  const stranger = await browser.newContext()
  const other = await stranger.newPage()
  await other.goto(used)
  await expect(state(other)).toHaveAttribute('data-state', 'refused')
  await stranger.close()
})

test('the page works the same through a tunnel with another port', { tag: '@slow' }, async ({ page }) => {
  const target = port()
  const tunnel = createTcpServer((outer) => {
    const inner = connectTcp(target, '127.0.0.1')
    outer.pipe(inner).pipe(outer)
    outer.on('error', () => inner.destroy())
    inner.on('error', () => outer.destroy())
  })
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve))
  const { port: there } = tunnel.address() as AddressInfo
  for (const name of ['localhost', '127.0.0.1']) {
    const at = new URL(address())
    at.host = `${name}:${there}`
    await page.goto(at.href)
    await expect(state(page)).toHaveAttribute('data-state', 'open')
  }
  await page.goto('about:blank')
  tunnel.close()
})

test('a page from another origin gets no answer, no socket and no frame, even in a signed-in browser', async ({ page, context }) => {
  await opened(page, address())
  const site = await otherSite('<!doctype html><title>other</title>')
  const foreign = await context.newPage()
  await foreign.goto(site.url)
  const ours = `127.0.0.1:${port()}`
  const got = await foreign.evaluate(async (host) => {
    const tried = (promise: Promise<Response>): Promise<string> =>
      promise.then(
        (answer) => `read ${answer.status}`,
        () => 'refused',
      )
    const socket = await new Promise<string>((resolve) => {
      const own = new WebSocket(`ws://${host}/wire`)
      own.onopen = () => resolve('open')
      own.onerror = () => resolve('refused')
    })
    const frame = document.createElement('iframe')
    const loaded = new Promise<string>((resolve) => {
      frame.onload = () => resolve(frame.contentDocument === null ? 'opaque' : 'readable')
    })
    frame.src = `http://${host}/`
    document.body.append(frame)
    const script = await new Promise<string>((resolve) => {
      const own = document.createElement('script')
      own.onload = () => resolve('loaded')
      own.onerror = () => resolve('refused')
      own.src = `http://${host}/page.js`
      document.body.append(own)
    })
    return {
      page: await tried(fetch(`http://${host}/`, { credentials: 'include' })),
      token: await tried(fetch(`http://${host}/socket-token`, { method: 'POST', credentials: 'include' })),
      blind: await fetch(`http://${host}/socket-token`, { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(
        (answer) => answer.type,
        () => 'refused',
      ),
      socket,
      script,
      frame: await loaded,
    }
  }, ours)
  expect(got).toEqual({ page: 'refused', token: 'refused', blind: 'refused', socket: 'refused', script: 'refused', frame: 'opaque' })
  expect(foreign.frames().map((frame) => frame.url())).not.toContain(`http://${ours}/`)
  site.close()
})

for (const host of ['127.0.0.1', 'localhost'])
  test(
    `in a signed-in browser, a page from another port of ${host} learns nothing that would let it open a socket`,
    { tag: '@slow' },
    async ({ page, context }) => {
      await opened(page, address())
      await page.reload()
      await expect(state(page)).toHaveText('browser-2')
      const ours = `127.0.0.1:${port()}`
      const spy = await spyingServer(host)
      const foreign = await context.newPage()
      await foreign.goto(spy.url)
      // Everything that the other server's page can read or receive in this browser is sent to that server.
      await foreign.evaluate(async (target) => {
        const heard: string[] = []
        for (const name of ['countersign-page-secret', 'countersign']) {
          const channel = new BroadcastChannel(name)
          channel.addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
          channel.postMessage({ kind: 'ask' })
        }
        const popup = window.open(`http://${target}/`)
        popup?.postMessage({ kind: 'ask' }, '*')
        addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
        const databases = await indexedDB.databases()
        const cached = await caches.keys()
        // This is longer than a window waits for an answer from another window.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        const stored = [JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage }), document.cookie, document.referrer]
        try {
          stored.push(popup?.location.href ?? '')
        } catch {
          // The browser hides the address from the page, as required.
        }
        await fetch('/found', { method: 'POST', body: JSON.stringify([heard, databases, cached, stored]) })
      }, ours)
      expect(await context.cookies()).toEqual([])
      expect(spy.learned().filter((value) => /[\w-]{43}/.test(value))).toEqual([])
      const results = await spy.replayed(ours)
      expect(results.length).toBeGreaterThan(20)
      expect([...new Set(results)].toSorted()).toEqual(['/session 401', '/socket-token 401', 'socket 4401'])
      // The same replay succeeds with the secrets of our own page, so the replay itself works.
      const own = await page.evaluate(() => Object.values({ ...sessionStorage }).map(String))
      expect((await Promise.all(own.map((value) => replay(ours, value)))).flat()).toContain('/socket-token 200')
      spy.close()
    },
  )

test(
  'another server that later takes over the port gets only a secret that the next launch refuses',
  { tag: '@slow' },
  async ({ page }) => {
    await opened(page, address())
    const [dead] = await page.evaluate(() => Object.values({ ...sessionStorage }).map(String))
    const was = port()
    await stop()
    await start(was)
    expect(await replay(`127.0.0.1:${was}`, dead ?? '')).toEqual(['/session 401', '/socket-token 401', '/socket-token 401', 'socket 4401'])
    await page.reload()
    await expect(state(page)).toHaveAttribute('data-state', 'refused')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await page.goto('about:blank')
    await opened(page, address())
  },
)

test('a link on another site opens the page, signed in if this browser is signed in', { tag: '@slow' }, async ({ page, context }) => {
  await opened(page, address())
  const site = await otherSite(`<!doctype html><a href="http://127.0.0.1:${port()}/">there</a>`)
  const foreign = await context.newPage()
  await foreign.goto(site.url.replace('127.0.0.1', 'localhost'))
  await foreign.getByText('there').click()
  await expect(state(foreign)).toHaveText('browser-2')
  site.close()
})

test('the page says that the app has ended, and later that no server answers', { tag: '@slow' }, async ({ page }) => {
  await opened(page, address())
  await stop()
  await expect(state(page)).toHaveText('Countersign is ending')
})

test('images, scripts, styles, frames and requests of the page reach no other server', async ({ page }) => {
  await opened(page, address())
  const site = await otherSite('')
  const violated = await page.evaluate(
    (url) =>
      new Promise<readonly string[]>((resolve) => {
        const seen = new Set<string>()
        document.addEventListener('securitypolicyviolation', (event) => {
          seen.add(event.effectiveDirective)
          if (seen.size === 6) resolve([...seen].toSorted())
        })
        const add = (name: string, set: Record<string, string>): void => {
          const element = document.createElement(name)
          for (const [key, value] of Object.entries(set)) element.setAttribute(key, value)
          document.body.append(element)
        }
        add('img', { src: `${url}x.png` })
        add('script', { src: `${url}x.js` })
        add('link', { rel: 'stylesheet', href: `${url}x.css` })
        add('iframe', { src: url })
        add('object', { data: url })
        fetch(url).catch(() => {})
      }),
    site.url,
  )
  expect(violated).toEqual(['connect-src', 'frame-src', 'img-src', 'object-src', 'script-src-elem', 'style-src-elem'])
  expect(site.asked()).toEqual([])
  site.close()
})

test('eval is refused, and a style has an effect only with the nonce', { tag: '@slow' }, async ({ page }) => {
  await opened(page, address())
  const facts = await page.evaluate(() => {
    const nonce = document.querySelector<HTMLElement>('[property=csp-nonce]')?.nonce ?? ''
    const styled = (given: string, color: string): string => {
      const style = document.createElement('style')
      style.nonce = given
      style.textContent = `body { color: ${color} }`
      document.head.append(style)
      return getComputedStyle(document.body).color
    }
    return [nonce.length, styled('', 'rgb(1, 2, 3)'), styled(nonce, 'rgb(4, 5, 6)'), document.body.dataset['evaluates']]
  })
  expect(facts).toEqual([24, 'rgb(0, 0, 0)', 'rgb(4, 5, 6)', 'EvalError'])
})
