import { pathToFileURL } from 'node:url'
import { contract } from '../../shared/api/contract.ts'
import { connect } from '../../shared/wire/connect.ts'
import { ipcWire } from '../../renderer/wire/ipc-wire.ts'
import type { UpdateState } from '../../shared/api/updates.ts'
import { loadOnFake } from '../support/fake-electron/load-on-fake.ts'
import type { PreloadBridge } from '../../shared/wire/ipc-packet.ts'

/**
 * Starts the built desktop shell as an installed app on the fake Electron, looks for a new version and ends as the third argument says:
 * `quits`, `restarts`, `killed` by a signal, or `tells` if the user only wants to hear of versions. Prints the state and the exit code as JSON. Arguments: the entry, the data folder, how it
 * ends. The folder of resources comes from `COUNTERSIGN_TEST_RESOURCES`.
 */
const [entry = '', data = '', end = ''] = process.argv.slice(2)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const electron = await loadOnFake(pathToFileURL(entry).href, ['--data', data], (app) => {
  app.isPackaged = true
  Object.defineProperty(process, 'resourcesPath', { value: process.env['COUNTERSIGN_TEST_RESOURCES'], configurable: true })
})
electron.app.becomeReady()
while (!electron.BrowserWindow.all[0]?.webContents.page && electron.app.exitCode === null) await turn()
const bridge = electron.BrowserWindow.all[0]?.webContents.page?.world['countersign'] as PreloadBridge
const client = connect(ipcWire(bridge), contract)
async function stateNow(): Promise<UpdateState | null> {
  for await (const state of client.updates.state({}, new AbortController().signal)) return state
  return null
}
if (end === 'tells') await client.settings.change({ updates: 'tell' })
await client.updates.look({})
const last = await stateNow()
// The app may be gone before it answers.
if (end === 'restarts') void client.updates.restart({}).catch(() => {})
else if (end === 'killed') process.emit('SIGTERM')
else electron.app.quit()
const exitCode = await electron.app.whenExited()
process.stdout.write(JSON.stringify({ last, exitCode, errors: electron.dialog.errors }), () => process.exit(0))
