import { pathToFileURL } from 'node:url'
import { contract } from '../../shared/api/contract.ts'
import { connect } from '../../shared/wire/connect.ts'
import { ipcWire } from '../../renderer/wire/ipc-wire.ts'
import { loadOnFake } from '../support/fake-electron/load-on-fake.ts'
import type { PreloadBridge } from '../../shared/wire/ipc-packet.ts'

/**
 * Starts a packaged main entry as Electron would, on the fake and with the real app, and prints as JSON what the page received. Arguments:
 * the entry and the data folder. A test runs it as a separate process, because the entry takes over the process in which it runs.
 */
const [entry = '', data = ''] = process.argv.slice(2)
const electron = await loadOnFake(pathToFileURL(entry).href, ['--data', data])
electron.app.isPackaged = true
const beforeReady = { sandboxed: electron.app.sandboxed, schemes: electron.protocol.schemes.length }
electron.app.becomeReady()
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
while (!electron.BrowserWindow.all[0]?.webContents.page && electron.app.exitCode === null) await turn()
const contents = electron.BrowserWindow.all[0]?.webContents
const client = connect(ipcWire(contents?.page?.world['countersign'] as PreloadBridge), contract)
const hello = await client.app.hello({})
const { text: licenses } = await client.app.licenses({})
electron.app.quit()
const exitCode = await electron.app.whenExited()
process.stdout.write(JSON.stringify({ beforeReady, url: contents?.url, errors: electron.dialog.errors, hello, licenses, exitCode }), () =>
  process.exit(0),
)
