import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findChromiums, thisMachine } from '../../main/bootstrap/find-chromium.mjs'
import { download, STALL_MS } from '../../main/bootstrap/download.mjs'
import { isRoot, toolEnv } from '../../main/bootstrap/places.mjs'
import { runQuietly } from '../../main/bootstrap/processes.mjs'
import { say } from '../../main/bootstrap/say.mjs'
import { hasApt, installPackages } from './packages.ts'

type Chromium =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'none'; /** The command to type to get a browser. */ readonly install: string }

/**
 * Returns a Chromium that starts: an installed one, otherwise Playwright's download, otherwise (as root on Debian) the distribution's
 * package. Prints what it is going to install, and why, before it does so.
 */
export async function chromiumForTests(root: string): Promise<Chromium> {
  const installed = findInstalled() ?? (await playwrightsChromium(root))
  if (installed) return { kind: 'found', path: installed }
  say(plan(isRoot() && hasApt()))
  await downloadChromium(root)
  const downloaded = await playwrightsChromium(root)
  if (downloaded) return { kind: 'found', path: downloaded }
  if (isRoot() && hasApt()) await installPackages(root, ['chromium'])
  const packaged = findInstalled()
  return packaged ? { kind: 'found', path: packaged } : { kind: 'none', install: installLine(process.platform, hasApt()) }
}

/** Returns the text that is printed before anything is installed. */
export function plan(mayInstallPackage: boolean): string {
  const parts = [
    "There is no Chromium on this machine, and tests that open the app in a browser need one. Downloading Playwright's into its cache in your home folder.",
    ...(mayInstallPackage ? ['If that fails, the Debian package "chromium" is installed with apt-get, because you are root.'] : []),
    'To use a browser that you have instead, stop with Ctrl+C and set CHROMIUM_PATH.',
  ]
  return parts.join(' ')
}

export function installLine(platform: string, withApt: boolean): string {
  if (platform === 'darwin') return 'brew install --cask chromium'
  if (platform === 'win32') return 'winget install Google.Chrome'
  return withApt
    ? 'sudo apt-get install chromium'
    : 'install Chromium or Google Chrome with your package manager, or set CHROMIUM_PATH to one'
}

function findInstalled(): string | null {
  return findChromiums(thisMachine()).find((file) => canStart(file)) ?? null
}

/** Whether a browser starts. It does not if its libraries are missing. Always true on Windows, where the check would open a window. */
export function canStart(file: string): boolean {
  return process.platform === 'win32' || spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 15_000 }).status === 0
}

/** Returns the browser that this version of Playwright downloads. Null if it is not installed. */
async function playwrightsChromium(root: string): Promise<string | null> {
  const ask = "import('playwright').then(({ chromium }) => console.log(chromium.executablePath()))"
  const ending = await runQuietly(process.execPath, ['-e', ask], { cwd: root, env: toolEnv(root) })
  const file = ending.kind === 'done' ? ending.noise.trim() : ''
  return file !== '' && existsSync(file) && canStart(file) ? file : null
}

async function downloadChromium(root: string): Promise<void> {
  const ending = await download(root, process.execPath, {
    what: "Downloading Playwright's Chromium",
    args: [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', '--no-shell', 'chromium'],
    folders: browserFolders(),
  })
  if (ending.kind === 'stalled') say(`Stopped after ${STALL_MS / 1000} s without progress.`)
  if (ending.kind === 'failed') say(`It could not be downloaded (${ending.why}).`)
}

function browserFolders(): string[] {
  const own = process.env['PLAYWRIGHT_BROWSERS_PATH']
  if (own) return [own]
  return ['.cache', join('Library', 'Caches'), join('AppData', 'Local')].map((cache) => join(homedir(), cache, 'ms-playwright'))
}
