import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadOnFake } from '../../../support/fake-electron/load-on-fake.ts'
import type { FakeApp } from '../../../support/fake-electron/fake-app.ts'
import { FakePage } from '../../../support/fake-electron/fake-page.ts'
import { FakeWebContents } from '../../../support/fake-electron/fake-web-contents.ts'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import type { AssetResponse, FromDesktop, ToDesktop } from './desktop-messages.ts'

/**
 * The desktop shell as a process: the built main bundle on the fake Electron. The window's page is drawn by the browser of the test, which
 * is the parent process. Arguments: the built entry, then the arguments of the app.
 */
const tell = (message: FromDesktop): void => void process.send?.(message)

FakeWebContents.createPage = (url, preload, reach) => {
  const page = new FakePage(url, '', reach)
  let isAlive = true
  page.hear = (channel, args) => {
    if (isAlive) tell({ kind: 'tells', channel, args })
  }
  const end = page.end.bind(page)
  page.end = () => {
    isAlive = false
    end()
  }
  preloadText = preload
  return page
}
let preloadText = ''
/** The browser already knows the address that the page gave itself. */
let isMovedByPage = false

/** With a folder of resources, the app runs as an installed one, with the version that is in its archive if it has one. */
function asInstalled(fake: FakeApp): void {
  const resources = process.env['COUNTERSIGN_TEST_RESOURCES']
  if (resources === undefined) return
  fake.isPackaged = true
  const manifest = join(resources, 'app.asar', 'package.json')
  if (existsSync(manifest)) fake.version = (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version
  Object.defineProperty(process, 'resourcesPath', { value: resources, configurable: true })
}

const [entry = '', ...args] = process.argv.slice(2)
const { BrowserWindow, Menu, app, dialog, session } = await loadOnFake(pathToFileURL(entry).href, args, asInstalled)
void app.whenExited().then((code) => process.exit(code))

app.on('web-contents-created', (_event: unknown, contents: FakeWebContents) => {
  contents.on('did-finish-load', () => tell({ kind: 'loads', url: contents.url, preload: preloadText }))
  contents.on('did-navigate-in-page', () => {
    if (!isMovedByPage) tell({ kind: 'asks', url: contents.url })
  })
})

async function respond(url: string, method: string, isDocument: boolean): Promise<AssetResponse | null> {
  const response = await session.defaultSession.load(url, method)
  if (!(response instanceof Response)) return null
  if (isDocument && response.ok) BrowserWindow.all[0]?.webContents.begins(url)
  return { status: response.status, headers: Object.fromEntries(response.headers), body: new Uint8Array(await response.arrayBuffer()) }
}

process.on('message', (message: ToDesktop) => {
  const window = BrowserWindow.all[0]
  const contents = window?.webContents
  switch (message.kind) {
    case 'request':
      return void respond(message.url, message.method, message.isDocument).then((response) =>
        tell({ kind: 'response', id: message.id, response }),
      )
    case 'moves':
      if (!contents) return
      contents.url = message.url
      isMovedByPage = true
      contents.emit('did-navigate-in-page', {}, message.url, true)
      isMovedByPage = false
      return
    case 'sends':
      return contents?.page ? contents.sendsFrom(contents.page.frame, message.channel, ...message.args) : undefined
    case 'crashed':
      return contents?.falls('crashed')
    case 'closes_window':
      return window?.close()
    case 'clicks_menu':
      return Menu.applied?.click(message.label)
    case 'second_instance':
      return void app.emit('second-instance', {}, [], '/', { show: { kind: 'folder', folder: message.folder } })
    case 'chooses_folder':
      dialog.folders = [message.folder]
      return
    case 'answers':
      return void dialog.answers.push(...message.buttons)
    default:
      return assertNever(message)
  }
})
process.on('disconnect', () => process.exit(1))
app.becomeReady()
