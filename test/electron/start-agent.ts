import { pathToFileURL } from 'node:url'
import { loadOnFake } from '../support/fake-electron/load-on-fake.ts'

/** Starts a packaged main entry on the fake Electron with arguments of a terminal, and ends with the exit code that the app asks for. */
const [entry = '', ...args] = process.argv.slice(2)
const electron = await loadOnFake(pathToFileURL(entry).href, args)
electron.app.becomeReady()
const code = await electron.app.whenExited()
if (electron.BrowserWindow.all.length > 0) throw new Error('a window was opened')
process.exit(code)
