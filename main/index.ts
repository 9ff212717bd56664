import './preflight.mjs'
import { hideSecretVariables } from './environment/launch-environment.ts'
import { completeFromShell } from './environment/shell-variables/complete-from-shell.ts'
import { join } from 'node:path'
import { startDesktopShell } from './electron/desktop-shell.ts'
import { agentArguments, runAgentInTerminal } from './electron/launch/agent-in-terminal.ts'
import { builtFolder, readLicenses } from './http/built-folder.ts'
import { createServedApp } from './compose/served-app.ts'
import { dataFolder } from './store/data-folder.ts'
import { VERSION } from './version.ts'

// Must run before any process is started, because a process would inherit these variables.
hideSecretVariables()

// Electron without a packaged app gets the app's folder as its first argument.
const argv = process.argv.slice(process.defaultApp ? 2 : 1)
const forAgent = agentArguments(argv)

// Nothing may be awaited here. Electron becomes ready as soon as this file has run, and some of its settings must be made earlier.
if (forAgent) void runAgentInTerminal(forAgent, () => import('./run.ts'))
else {
  void completeFromShell()
  startDesktopShell({
    argv,
    pageFolder: builtFolder('renderer'),
    preload: join(builtFolder('preload'), 'index.cjs'),
    dataFolder: (data) => dataFolder({ data: data ?? undefined }),
    createApp: (plan) => createServedApp({ ...plan, version: VERSION, licenses: readLicenses, watched: true, whenUnsaved: 'go_on' }),
  })
}
