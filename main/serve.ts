import './preflight.mjs'
import { hideSecretVariables } from './environment/launch-environment.ts'
import { completeFromShell } from './environment/shell-variables/complete-from-shell.ts'
import { createInterface } from 'node:readline'
import { browserHost, runBrowserShell } from './http/browser-shell.ts'
import { builtFolder, readLicenses } from './http/built-folder.ts'
import { parseServeFlags, type ServeFlags } from './http/serve-flags.ts'
import { dataFolder } from './store/data-folder.ts'
import { VERSION } from './version.ts'

// Must run before any process is started, because a process would inherit these variables.
hideSecretVariables()
void completeFromShell()

/**
 * The browser shell. Prints one line with the address on standard output, and errors on standard error. The exit code is 1 after a
 * failure and 2 after wrong usage.
 */
const flags = parseServeFlags(process.argv.slice(2), process.cwd())
if (flags.ok) process.exit(await run(flags.value))
else if (flags.failure.help) process.stdout.write(flags.failure.message)
else {
  process.stderr.write(`${flags.failure.message} Try: --help\n`)
  process.exitCode = 2
}

async function run(given: ServeFlags): Promise<number> {
  // Errors on standard output and standard error are ignored, because they only mean that the reader has closed the stream, and a report
  // could not be written either.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  process.on('uncaughtException', (error) => onBug(error, 'uncaught exception'))
  process.on('unhandledRejection', (error) => onBug(error, 'unhandled rejection'))
  const folder = dataFolder({ data: given.data ?? undefined })
  const trouble = folder.ok
    ? await runBrowserShell({
        port: given.port,
        pageFolder: builtFolder('renderer'),
        createApp: async () =>
          (await import('./compose/served-app.ts')).createServedApp({
            host: browserHost(),
            dataFolder: folder.value,
            version: VERSION,
            licenses: readLicenses,
            openFolder: given.folder,
            watched: true,
            sandbox: given.sandbox,
            whenUnsaved: 'go_on',
          }),
        onReady: (address) => void announce(address, given),
        onBug,
        signal: endSignal(),
      })
    : folder.failure
  if (trouble) process.stderr.write(`${trouble.what}\n${trouble.kept}\n${trouble.todo}\n`)
  return trouble ? 1 : 0
}

async function announce(address: () => string, given: ServeFlags): Promise<void> {
  const say = (words: string): void => void process.stdout.write(`${words} ${address()}\n`)
  say('Countersign is at')
  if (given.open) await openBrowser(address(), given.folder)
  if (!process.stdin.isTTY) return
  // The user needs a new address to open the app in a second browser, or in a browser in which all windows of the app were closed.
  process.stderr.write('The address works once. Press Enter for another address, or Ctrl+C to stop.\n')
  createInterface({ input: process.stdin }).on('line', () => say('Another address:'))
}

async function openBrowser(address: string, folder: ServeFlags['folder']): Promise<void> {
  const { openWindow } = await import('./bootstrap/open-window.mjs')
  const { ownFolders, ownProgram, useNoProgramsFrom } = await import('./environment/own-programs/own-programs.ts')
  if (folder !== null) useNoProgramsFrom(folder)
  openWindow(address, { path: ownFolders(), check: ownProgram })
}

/** Aborts at the first termination signal. A second signal ends the process immediately. */
function endSignal(): AbortSignal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (abort.signal.aborted) process.exit(130)
      abort.abort()
    })
  }
  return abort.signal
}

/** Unexpected errors are printed, and the app keeps running. */
function onBug(error: unknown, where: string): void {
  process.stderr.write(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
}
