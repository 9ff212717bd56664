import { registerHooks } from 'node:module'
import { contract } from '../../shared/api/contract.ts'
import { connect } from '../../shared/wire/connect.ts'
import { ipcWire } from '../../renderer/wire/ipc-wire.ts'
import type { PreloadBridge } from '../../shared/wire/ipc-packet.ts'

/**
 * Starts `dist/main/index.js` as Electron would, on the fake, with the real app behind it, and prints as JSON what the page was told. Arguments:
 * the data folder. Run by a test as its own process, since the entry takes the process for itself.
 */
const fake = new URL('../support/fake-electron/electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: fake, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
})
const electron = (await import(fake)) as typeof import('../support/fake-electron/electron.ts')
electron.resetFakeElectron()
process.argv = [process.argv[0] ?? '', '.', '--data', process.argv[2] ?? '']
await import(new URL('../../dist/main/index.js', import.meta.url).href)
const beforeReady = { sandboxed: electron.app.sandboxed, schemes: electron.protocol.schemes.length }
electron.app.becomeReady()
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
while (!electron.BrowserWindow.all[0]?.webContents.page && electron.app.exitCode === null) await turn()
const contents = electron.BrowserWindow.all[0]?.webContents
const client = connect(ipcWire(contents?.page?.world['countersign'] as PreloadBridge), contract)
const hello = await client.app.hello({})
electron.app.quit()
const exitCode = await electron.app.whenExited()
process.stdout.write(JSON.stringify({ beforeReady, url: contents?.url, errors: electron.dialog.errors, hello, exitCode }), () =>
  process.exit(0),
)
