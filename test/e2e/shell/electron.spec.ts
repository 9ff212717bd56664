import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ElectronApplication, type Page, _electron, expect, test } from 'playwright/test'
import { electronProgram } from '../../../main/bootstrap/electron-runtime.mjs'
import { hasDisplay, isRoot } from '../../../main/bootstrap/places.mjs'

/**
 * The rows of the Electron checklist (security 1) that only Electron's runtime can show. `test/electron/security-rows.test.ts` covers the
 * same rows as far as the fake can show them. The tests need `npm run build` and the runtime, which not every machine has. Without the
 * runtime, every test in this file is reported as skipped.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = electronProgram(root)
const why =
  program === null
    ? "Electron's runtime is not installed"
    : isRoot()
      ? 'Electron does not run as root'
      : hasDisplay()
        ? null
        : 'there is no display'

test.describe('Electron checklist', () => {
  // These tests need Electron's runtime, which is a separate download, refuses to run as root and needs a display.
  test.skip(why !== null, `skipped: ${why}`)

  let electron: ElectronApplication
  let page: Page
  let data: string
  test.beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'countersign-electron-'))
    electron = await _electron.launch({ executablePath: program ?? '', args: [root, '--data', data] })
    page = await electron.firstWindow()
    await page.waitForLoadState()
  })
  test.afterAll(async () => {
    await electron?.close()
    rmSync(data, { recursive: true, force: true })
  })

  const stays = async (attempt: () => Promise<unknown>): Promise<void> => {
    const before = page.url()
    await attempt().catch(() => {})
    expect([page.url(), electron.windows().length]).toEqual([before, 1])
  }

  test('the page is served under our own scheme and is drawn (needs the runtime)', async () => {
    expect(page.url()).toMatch(/^countersign-app:\/\/desk\//)
    await expect(page.locator('#root > *').first()).toBeVisible()
    expect(await page.evaluate(() => [location.origin, isSecureContext])).toEqual(['countersign-app://desk', true])
  })

  test('row 2: the page has no access to Node (needs the runtime)', async () => {
    const types = await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'global'].map((name) => typeof (globalThis as Record<string, unknown>)[name]),
    )
    expect(types).toEqual(['undefined', 'undefined', 'undefined', 'undefined', 'undefined'])
  })

  test('rows 3 and 20: the preload exposes two functions, which are frozen (needs the runtime)', async () => {
    const facts = await page.evaluate(() => {
      const bridge = (globalThis as unknown as { countersign: Record<string, unknown> }).countersign
      return [Object.keys(bridge), Object.isFrozen(bridge), Object.values(bridge).every((value) => typeof value === 'function')]
    })
    expect(facts).toEqual([['send', 'onMessage'], true, true])
  })

  test('row 3: changes to prototypes in the page do not reach the preload’s world (needs the runtime)', async () => {
    await page.evaluate(() => void Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true }))
    // 999 is the id that Electron gives to the isolated world of preload scripts.
    const inPreload = await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScriptInIsolatedWorld(999, [{ code: "'polluted' in {}" }]),
    )
    const inPage = await page.evaluate(() => {
      const seen = 'polluted' in {}
      Reflect.deleteProperty(Object.prototype, 'polluted')
      return seen
    })
    expect([inPage, inPreload]).toEqual([true, false])
  })

  test('row 4: the page’s process is sandboxed (needs the runtime)', async () => {
    const { pid, sandboxed } = await electron.evaluate(({ app, BrowserWindow }) => {
      const own = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0
      return { pid: own, sandboxed: app.getAppMetrics().find((metric) => metric.pid === own)?.sandboxed ?? false }
    })
    // On Linux, Electron does not report the sandbox, but the kernel does: mode 2 means a system-call filter.
    if (process.platform === 'linux') expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s*2$/m)
    else expect(sandboxed).toBe(true)
  })

  test('row 5: camera, notifications and the clipboard’s content are denied (needs the runtime)', async () => {
    const states = await page.evaluate(async () => {
      const names = ['notifications', 'geolocation', 'clipboard-read', 'camera', 'microphone'] as PermissionName[]
      return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state))
    })
    expect(states).toEqual(['denied', 'denied', 'denied', 'denied', 'denied'])
    expect(
      await page.evaluate(() =>
        navigator.mediaDevices.getUserMedia({ video: true }).then(
          () => 'granted',
          () => 'denied',
        ),
      ),
    ).toBe('denied')
  })

  test('row 7: an image from another host and an inline script are refused, and reported (needs the runtime)', async () => {
    const violated = await page.evaluate(
      () =>
        new Promise<readonly string[]>((resolve) => {
          const seen: string[] = []
          document.addEventListener('securitypolicyviolation', (event) => {
            seen.push(event.effectiveDirective)
            if (seen.length === 2) resolve(seen.toSorted())
          })
          const image = document.createElement('img')
          image.src = 'https://example.invalid/x.png'
          const script = document.createElement('script')
          script.textContent = 'globalThis.injected = true'
          document.body.append(image, script)
        }),
    )
    expect(violated).toEqual(['img-src', 'script-src-elem'])
    expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false)
    expect(
      await page.evaluate(() =>
        fetch('https://example.invalid/').then(
          () => 'answered',
          () => 'refused',
        ),
      ),
    ).toBe('refused')
  })

  test('rows 11 and 12: a webview is an unknown element (needs the runtime)', async () => {
    const attached = await page.evaluate(() => {
      const view = document.createElement('webview')
      view.setAttribute('src', 'https://example.invalid/')
      document.body.append(view)
      return 'loadURL' in view
    })
    expect([attached, electron.windows().length]).toEqual([false, 1])
  })

  test('row 13: the page cannot navigate away (needs the runtime)', async () => {
    for (const url of ['https://example.invalid/', 'file:///etc/passwd', 'countersign-app://evil/', 'data:text/html,x'])
      await stays(() => page.evaluate((to) => void (location.href = to), url))
  })

  test('row 14: the page cannot open a window (needs the runtime)', async () => {
    for (const url of ['about:blank', 'file:///etc/passwd', 'countersign-app://desk/'])
      await stays(() => page.evaluate((to) => void window.open(to), url))
  })

  test('row 18: only files in the file table are served (needs the runtime)', async () => {
    const statuses = await electron.evaluate(async ({ session }) => {
      const paths = ['../../etc/passwd', '%2e%2e/%2e%2e/etc/passwd', '%00', '..%5c..%5cetc', 'index.html']
      return Promise.all(paths.map(async (path) => (await session.defaultSession.fetch(`countersign-app://desk/${path}`)).status))
    })
    expect(statuses).toEqual([404, 404, 404, 404, 404])
  })
})
