import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAssetTable } from '../../main/http/asset-table.ts'
import { contentSecurityPolicy } from '../../main/http/content-security.ts'
import { pageResponse } from '../../main/http/page-response.ts'
import { ask } from './page-like.ts'
import { type RunningShell, builtPage, runningShell } from './shell-on-a-page.ts'

let running: RunningShell
beforeAll(async () => {
  running = await runningShell()
})
afterAll(() => running.stop())

const POLICY = (connect: string): RegExp =>
  new RegExp(
    `^default-src 'none'; script-src 'self'; style-src 'self'; style-src-elem 'self' 'nonce-([A-Za-z0-9+/]{22}==)'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; worker-src 'self'; connect-src ${connect}; frame-src 'none'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'$`,
  )

describe('page of the browser shell', () => {
  it('every response has the content security policy with its own nonce', async () => {
    const paths = ['/', '/', '/assets/index-1a2b.js', '/mark.svg', '/nothing']
    const answers = await Promise.all(paths.map((path) => ask(running.port, path)))
    const nonces = answers.map(({ headers }) => POLICY("'self'").exec(String(headers['content-security-policy']))?.[1])
    expect(nonces.filter((nonce) => nonce === undefined)).toEqual([])
    expect(new Set(nonces).size).toBe(paths.length)
  })

  it('the page gets the nonce of its own response at every placeholder', async () => {
    const { text, headers } = await ask(running.port, '/')
    const nonce = POLICY("'self'").exec(String(headers['content-security-policy']))?.[1] ?? 'none'
    expect(text).toBe(
      `<!doctype html><meta property="csp-nonce" nonce="${nonce}"><script type="module" nonce="${nonce}" src="./assets/index-1a2b.js"></script>`,
    )
  })

  it('the other headers deny sniffing, framing, referrers, use by other origins, and every feature except writing to the clipboard', async () => {
    for (const path of ['/', '/nothing']) {
      const { headers } = await ask(running.port, path)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['permissions-policy']).toContain('camera=()')
      expect(headers['permissions-policy']).toContain('clipboard-write=(self)')
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control') || name === 'x-powered-by' || name === 'server'),
      ).toEqual([])
    }
  })

  it('files with a content hash in their name are cached forever, the page itself never', async () => {
    const [page, script, mark] = await Promise.all(['/', '/assets/index-1a2b.js', '/mark.svg'].map((path) => ask(running.port, path)))
    expect([page, script, mark].map((answer) => [answer?.headers['cache-control'], answer?.headers['content-type']])).toEqual([
      ['no-store', 'text/html; charset=utf-8'],
      ['public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
      ['no-store', 'image/svg+xml'],
    ])
  })

  it('a query is ignored, and HEAD answers without the body', async () => {
    expect((await ask(running.port, '/?x=1')).status).toBe(200)
    const head = await ask(running.port, '/', { method: 'HEAD' })
    expect([head.status, head.text, Number(head.headers['content-length']) > 0]).toEqual([200, '', true])
  })

  it.each([
    '/../package.json',
    '/../../../../etc/passwd',
    '/assets/../../package.json',
    '/assets/../index.html',
    '/%2e%2e/package.json',
    '/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/..%5c..%5cetc%5cpasswd',
    '/..\\..\\etc\\passwd',
    '/assets\\index-1a2b.js',
    '/%00',
    '/index.html%00.js',
    '/assets/index-1a2b.js%00',
    '//etc/passwd',
    '/assets//index-1a2b.js',
    '/assets',
    '/assets/',
    '/index.html',
    '/INDEX.HTML',
    '/assets/index-1a2b.js/',
    '/assets/%69ndex-1a2b.js',
    '/constructor',
    '/__proto__',
    'http://evil.example/',
    'file:///etc/passwd',
  ])('%s does not exist', async (path) => {
    const { status, text } = await ask(running.port, path)
    expect([status, text]).toEqual([404, 'There is nothing here.\n'])
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('the method %s is refused', async (method) => {
    const { status } = await ask(running.port, '/', { method, headers: { origin: `http://127.0.0.1:${running.port}` } })
    expect(status).toBe(405)
  })
})

describe('file table', () => {
  it('contains exactly the files that the build listed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-table-'))
    await mkdir(join(folder, 'assets', 'a b'), { recursive: true })
    for (const path of ['index.html', 'assets/a b/ü.js', 'assets/unlisted.js']) await writeFile(join(folder, path), '')
    await writeFile(join(folder, 'asset-list.json'), JSON.stringify(['index.html', 'assets/a b/ü.js']))
    const table = await readAssetTable(folder)
    expect(table.ok && [...table.value.keys()].toSorted()).toEqual(['/', '/assets/a%20b/%C3%BC.js'])
    await rm(folder, { recursive: true })
  })

  it.each(['../secret', '/etc/passwd', 'assets/../../secret'])('a list that names %s outside the folder is refused', async (path) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-table-'))
    await writeFile(join(folder, 'asset-list.json'), JSON.stringify(['index.html', path]))
    await expect(readAssetTable(folder)).rejects.toThrow()
    await rm(folder, { recursive: true })
  })

  it('a file that is deleted after the start gives a 404, not a crash', async () => {
    const { folder, assets } = await builtPage()
    await rm(folder, { recursive: true })
    expect((await pageResponse(assets, [...assets.keys()].find((path) => path !== '/') ?? '', 'desktop')).status).toBe(404)
  })

  it('the desktop’s page has no network access', async () => {
    const { folder, assets } = await builtPage()
    const { headers } = await pageResponse(assets, '/', 'desktop')
    expect(headers['content-security-policy']).toMatch(POLICY("'none'"))
    expect(contentSecurityPolicy('desktop', 'n')).toContain("connect-src 'none'")
    await rm(folder, { recursive: true })
  })
})
