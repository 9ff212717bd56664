import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { IPC_CHANNEL, type PreloadBridge } from '../../shared/wire/ipc-packet.ts'
import { REFUSED_LINKS } from '../http/refused-links.ts'
import { BrowserWindow, app, dialog, ipcMain, protocol, session, shell } from '../support/fake-electron/electron.ts'
import { FakeFrame } from '../support/fake-electron/fake-page.ts'
import type { Permission } from '../support/fake-electron/fake-session.ts'
import { type RunningDesktop, bridgeOf, builtPreload, pageWire, runningDesktop, until } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

/** Addresses that are not the app's own, including some that almost match it. */
const FOREIGN = [
  'https://example.com/',
  'http://127.0.0.1:3000/',
  'file:///etc/passwd',
  'data:text/html,x',
  'javascript:alert(1)',
  'about:blank',
  'blob:countersign-app://desk/1',
  'countersign-app://desk.evil/',
  'countersign-app://desk@evil/',
  'countersign-app://evil/',
  'countersign-app://desk:8080/',
  'countersign-app://user@desk/',
  'countersign-app:desk/',
  'countersign://open?folder=/x',
  'countersign-app.evil://desk/',
]

/**
 * Security 1, row by row. `with a fake Electron`: the fake calls our handlers as Electron would. `setting passed to a fake Electron`: we
 * pass the right options to Electron, but their effect needs the runtime and is tested in `test/e2e/shell/electron.spec.ts`. `checked in
 * the files`: the test reads the files themselves. Row 19, the fuses, is in `packaging.test.ts` and `packaging.long.test.ts`.
 */
describe('Electron checklist', () => {
  let preload: Awaited<ReturnType<typeof builtPreload>>
  let running: RunningDesktop
  let window: BrowserWindow
  const refused: string[] = []

  beforeAll(async () => {
    preload = await builtPreload()
    running = await runningDesktop(preload.file)
    window = await running.window()
  })
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => refused.push(String(text)) > 0)
  })
  afterEach(() => {
    dialog.asked.length = 0
    shell.opened.length = 0
  })
  afterAll(async () => {
    await running.stop()
    await preload.dispose()
  })

  const contents = () => window.webContents
  const options = () => window.options.webPreferences ?? {}

  it('row 1: secure content only — nothing but our own page is ever loaded (with a fake Electron)', async () => {
    expect(window.loaded).toEqual(['countersign-app://desk/'])
    for (const url of FOREIGN.filter((one) => !one.startsWith('data:')))
      expect([url, await session.defaultSession.load(url)]).toEqual([url, 'cancelled'])
    for (const scheme of ['ws', 'wss', 'ftp', 'chrome', 'filesystem'])
      expect(await session.defaultSession.load(`${scheme}://example.com/`)).toBe('cancelled')
  })

  it('row 2: Node and the webview tag are disabled in the page, its workers and its frames (setting passed to a fake Electron)', () => {
    expect(options()).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
    })
  })

  it('row 3: context isolation is on (setting passed to a fake Electron)', () => {
    expect(options().contextIsolation).toBe(true)
  })

  it('row 4: the sandbox is on for every process before the app is ready, and for the window (setting passed to a fake Electron)', () => {
    expect([app.sandboxed, options().sandbox]).toEqual([true, true])
  })

  it('row 5: every permission, device and screen is denied, except putting text on the clipboard from our own page (with a fake Electron)', async () => {
    const { defaultSession } = session
    const permissions: readonly Permission[] = [
      'clipboard-read',
      'display-capture',
      'fileSystem',
      'geolocation',
      'hid',
      'idle-detection',
      'local-fonts',
      'local-network-access',
      'media',
      'midi',
      'midiSysex',
      'notifications',
      'openExternal',
      'pointerLock',
      'serial',
      'speaker-selection',
      'storage-access',
      'unknown',
      'usb',
      'window-management',
    ]
    for (const permission of permissions) {
      expect([permission, await defaultSession.asks(permission, 'countersign-app://desk/')]).toEqual([permission, false])
      expect([permission, defaultSession.checks(permission, 'countersign-app://desk')]).toEqual([permission, false])
    }
    const clipboard = 'clipboard-sanitized-write'
    expect([
      await defaultSession.asks(clipboard, 'countersign-app://desk/'),
      defaultSession.checks(clipboard, 'countersign-app://desk'),
      await defaultSession.asks(clipboard, 'countersign-app://desk/', false),
      await defaultSession.asks(clipboard, 'https://example.com/'),
      defaultSession.checks(clipboard, 'https://example.com'),
      defaultSession.checks(clipboard, ''),
    ]).toEqual([true, true, false, false, false, false])
    const device = { deviceType: 'usb', origin: 'countersign-app://desk', device: {} } as Parameters<typeof defaultSession.grantsDevice>[0]
    expect([defaultSession.grantsDevice(device), await defaultSession.sharesScreen()]).toEqual([false, false])
  })

  it('row 5: an Electron session created later has no permissions either (with a fake Electron)', async () => {
    const later = new (session.defaultSession.constructor as new () => typeof session.defaultSession)()
    app.emit('session-created', later)
    expect([
      await later.asks('media', 'countersign-app://desk/'),
      later.checks('media', ''),
      await later.load('https://example.com/'),
    ]).toEqual([false, false, 'cancelled'])
  })

  it('row 6: web security is on (setting passed to a fake Electron)', () => {
    expect(options().webSecurity).toBe(true)
  })

  it('row 7: the page is served with a policy that allows no network, and with a fresh nonce (setting passed to a fake Electron)', async () => {
    const [one, other] = await Promise.all([
      session.defaultSession.load('countersign-app://desk/'),
      session.defaultSession.load('countersign-app://desk/'),
    ])
    const policies = [one, other].map((answer) => (answer instanceof Response ? (answer.headers.get('content-security-policy') ?? '') : ''))
    const shape =
      /^default-src 'none'; script-src 'self'; style-src 'self'; style-src-elem 'self' 'nonce-[A-Za-z0-9+/]{22}=='; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; worker-src 'self'; connect-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'$/
    for (const policy of policies) expect(policy).toMatch(shape)
    expect(policies[0]).not.toBe(policies[1])
    const nonce = /nonce-([^']+)/.exec(policies[0] ?? '')?.[1]
    expect(one instanceof Response && (await one.text())).toContain(`nonce="${nonce}"`)
  })

  it('row 8: insecure content is not allowed to run (setting passed to a fake Electron)', () => {
    expect(options().allowRunningInsecureContent).toBe(false)
  })

  it('rows 9 and 10: no experimental features and no Blink features are enabled (setting passed to a fake Electron)', () => {
    expect(options().experimentalFeatures).toBe(false)
    expect(Object.keys(options()).filter((name) => /blink/i.test(name))).toEqual([])
  })

  it('rows 11 and 12: a webview is never attached (with a fake Electron)', () => {
    expect(contents().attachesWebview()).toBe(false)
    const careless = new BrowserWindow({ webPreferences: { webviewTag: true } })
    expect(careless.webContents.attachesWebview()).toBe(false)
    careless.destroy()
  })

  it.each(FOREIGN)('row 13: a page cannot navigate to %s, on its own, by redirect or in a frame (with a fake Electron)', (url) => {
    expect([contents().navigates(url), contents().redirects(url), contents().navigates(url, { isMainFrame: false })]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('row 13: the page can reload itself, but cannot be loaded in a frame (with a fake Electron)', () => {
    expect([
      contents().navigates('countersign-app://desk/'),
      contents().navigates('countersign-app://desk/', { isMainFrame: false }),
    ]).toEqual([true, false])
    expect(options().navigateOnDragDrop).toBe(false)
  })

  it('row 14: a page never opens a window, and an https link needs a confirmation that shows its host (with a fake Electron)', async () => {
    dialog.answers.push(0)
    expect(contents().opens('https://xn--80ak6aa92e.com/path')).toBe(false)
    await until(() => shell.opened[0])
    expect([dialog.asked.map(({ message, detail }) => [message, detail]), shell.opened]).toEqual([
      [['Open xn--80ak6aa92e.com in your browser?', 'https://xn--80ak6aa92e.com/path']],
      ['https://xn--80ak6aa92e.com/path'],
    ])
    for (const url of ['file:///etc/passwd', 'about:blank', 'countersign-app://desk/']) expect(contents().opens(url)).toBe(false)
    expect(BrowserWindow.all.length).toBe(1)
  })

  it('row 14: a page that opens a hundred links causes only one question (with a fake Electron)', async () => {
    const thinking = Promise.withResolvers<void>()
    dialog.thinking = thinking.promise
    for (let index = 0; index < 100; index++) contents().opens(`https://example.com/${index}`)
    expect(dialog.asked.length).toBe(1)
    thinking.resolve()
    dialog.thinking = Promise.resolve()
    await thinking.promise
    await new Promise((resolve) => setImmediate(resolve))
    expect(await running.host().openLink('https://example.com/')).toEqual({ opened: false, why: null })
    expect(shell.opened).toEqual([])
  })

  it.each(REFUSED_LINKS)('row 15: %j is never passed to the system, and the user is not asked (with a fake Electron)', async (url) => {
    const answer = await running.host().openLink(url)
    expect([answer.opened, answer.why, dialog.asked, shell.opened]).toEqual([false, expect.stringMatching(/\.$/), [], []])
  })

  it('row 16: the pinned major version of Electron is supported (checked in the files)', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../node_modules/electron/package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    // The newest major version when this test was written. Electron supports the three newest.
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(45)
  })

  it.each([
    [
      'a frame within the page',
      () => new FakeFrame('countersign-app://desk/', new FakeFrame('countersign-app://desk/')),
      'a frame within a page',
    ],
    ['a foreign page', () => new FakeFrame('https://example.com/'), 'a page that is not ours'],
    ['a page whose address only begins like ours', () => new FakeFrame('countersign-app://desk.evil/'), 'a page that is not ours'],
    ['a frame without a page', () => new FakeFrame(''), 'a page that is not ours'],
    [
      'a frame that has gone',
      () => Object.assign(new FakeFrame('countersign-app://desk/'), { detached: true }),
      'a frame that no longer exists',
    ],
  ])('row 17: a message from %s is ignored and logged (with a fake Electron)', (_, frame, why) => {
    refused.length = 0
    contents().sendsFrom(frame(), IPC_CHANNEL, { kind: 'open', connection: 'x' })
    expect(refused).toEqual([`refused: a message comes from ${why}\n`])
    expect(running.bench.calls).toEqual([])
  })

  it('row 17: a malformed message, or a message without a frame or from other web contents, is ignored and logged (with a fake Electron)', () => {
    refused.length = 0
    const open = { kind: 'open', connection: 'x' }
    ipcMain.emit(IPC_CHANNEL, { sender: contents(), senderFrame: null }, open)
    const foreign = new BrowserWindow()
    foreign.webContents.sendsFrom(new FakeFrame('countersign-app://desk/'), IPC_CHANNEL, open)
    foreign.destroy()
    const own = new FakeFrame('countersign-app://desk/')
    for (const packet of [
      null,
      'open',
      {},
      { kind: 'open' },
      { kind: 'open', connection: '' },
      { kind: 'open', connection: 'x'.repeat(81) },
      { kind: 'eval', connection: 'x' },
    ])
      contents().sendsFrom(own, IPC_CHANNEL, packet)
    expect(refused).toEqual([
      'refused: a message comes from a frame that no longer exists\n',
      'refused: a message comes from a window that is not ours\n',
      ...Array.from({ length: 7 }, () => 'refused: a message is not a valid packet\n'),
    ])
  })

  it('row 17: messages from our own page are answered (with a fake Electron)', async () => {
    const wire = pageWire(contents())
    const answer = new Promise((resolve) => wire.onMessage(resolve))
    wire.send({ kind: 'call', id: 1, name: 'bench.later', input: { index: 7, turns: 0 } })
    expect(await answer).toEqual({ kind: 'ok', id: 1, output: 7 })
    wire.close()
  })

  it('row 18: our own scheme is a secure origin that bypasses no policy (setting passed to a fake Electron)', () => {
    expect(protocol.schemes).toEqual([
      {
        scheme: 'countersign-app',
        privileges: { standard: true, secure: true, supportFetchAPI: false, bypassCSP: false, corsEnabled: false, codeCache: true },
      },
    ])
  })

  it.each([
    'countersign-app://desk/../../etc/passwd',
    'countersign-app://desk/%2e%2e/%2e%2e/etc/passwd',
    'countersign-app://desk/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'countersign-app://desk/..\\..\\etc\\passwd',
    'countersign-app://desk/..%5c..%5cetc%5cpasswd',
    'countersign-app://desk/%00',
    'countersign-app://desk/index.html%00.js',
    'countersign-app://desk//etc/passwd',
    'countersign-app://desk/index.html',
    'countersign-app://desk/assets/',
    'countersign-app://desk/assets/../index.html',
    'countersign-app://desk/constructor',
    'countersign-app://desk/__proto__',
  ])('row 18: %s does not exist (with a fake Electron)', async (url) => {
    const answer = await session.defaultSession.load(url)
    expect(answer instanceof Response && answer.status).toBe(404)
  })

  it('row 18: files in the table are served only for GET and HEAD, with any query or fragment (with a fake Electron)', async () => {
    const status = async (url: string, method?: string) => {
      const answer = await session.defaultSession.load(url, method)
      return answer instanceof Response ? [answer.status, answer.headers.get('content-type')] : answer
    }
    expect([
      await status('countersign-app://desk/'),
      await status('countersign-app://desk'),
      await status('countersign-app://desk/?x#y'),
      await status('countersign-app://desk/assets/index-1a2b.js'),
      await status('countersign-app://desk/', 'POST'),
    ]).toEqual([
      [200, 'text/html; charset=utf-8'],
      [200, 'text/html; charset=utf-8'],
      [200, 'text/html; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [404, 'text/plain; charset=utf-8'],
    ])
  })

  it('row 20: the page gets two functions for plain data and one for paths of files, but no access to Electron (with a fake Electron)', () => {
    const bridge = bridgeOf(contents())
    expect(Object.entries(bridge).map(([name, value]) => [name, typeof value])).toEqual([
      ['send', 'function'],
      ['onMessage', 'function'],
      ['pathOf', 'function'],
    ])
    expect(Object.keys(contents().page?.world ?? {})).toEqual(['countersign'])
    const given: unknown[][] = []
    const listen = bridge.onMessage as (listener: (...args: unknown[]) => void) => unknown
    expect(listen((...args) => given.push(args))).toBeUndefined()
    contents().page?.hear(IPC_CHANNEL, [{ kind: 'close', connection: 'x', reason: 'y' }])
    expect(given).toEqual([[{ kind: 'close', connection: 'x', reason: 'y' }]])
    expect(bridge.pathOf(new File([], 'made-by-the-page'))).toBe('')
    expect((bridge.send as PreloadBridge['send'] & (() => unknown))({ kind: 'close', connection: 'x' })).toBeUndefined()
  })

  it('rows 4 and 20: the preload is one small file that requires only electron (checked in the files)', async () => {
    const source = await readFile(new URL('../../preload/index.ts', import.meta.url), 'utf8')
    const bundle = await readFile(preload.file, 'utf8')
    expect(source.split('\n').length).toBeLessThan(40)
    expect([...bundle.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name)).toEqual(['"electron"'])
  })

  it('the window’s profile is in the data folder, and nothing is downloaded for spell checking (with a fake Electron)', () => {
    expect(app.paths.get('userData')).toBe(join(running.dataFolder, 'desktop'))
    expect(options().spellcheck).toBe(false)
  })
})
