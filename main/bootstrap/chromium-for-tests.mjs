import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, findChromiums, thisMachine } from './chromium.mjs'
import { folderBytes } from './folder-bytes.mjs'
import { inHome, isRoot, toolEnv } from './places.mjs'
import { runQuietly } from './processes.mjs'
import { say, withProgress } from './say.mjs'

/** A download without progress for this long is given up (ms). */
export const STALL_MS = 20_000

/** @typedef {{ readonly kind: 'found', readonly path: string } | { readonly kind: 'none', readonly install: string }} Chromium */

/**
 * A Chromium that starts: an installed one, Playwright's own, its download, the distribution's package. Where there is none
 * and none can be had, what to type to get one.
 * @param {string} root
 * @param {string} runtime
 * @returns {Promise<Chromium>}
 */
export async function chromiumForTests(root, runtime) {
  const installed = findInstalled()
  if (installed) return { kind: 'found', path: installed }
  const own = await playwrightsOwn(root, runtime)
  if (own && !existsSync(own)) await download(root, runtime)
  if (own && existsSync(own) && answers(own)) return { kind: 'found', path: own }
  if (isRoot() && existsSync('/usr/bin/apt-get')) await installPackage(root)
  const packaged = findInstalled()
  return packaged
    ? { kind: 'found', path: packaged }
    : { kind: 'none', install: installLine(process.platform, existsSync('/usr/bin/apt-get')) }
}

/**
 * @param {string} platform
 * @param {boolean} hasApt
 */
export function installLine(platform, hasApt) {
  if (platform === 'darwin') return 'brew install --cask chromium'
  if (platform === 'win32') return 'winget install Google.Chrome'
  return hasApt ? 'sudo apt-get install chromium' : 'install Chromium or Google Chrome with your package tool, or set CHROMIUM_PATH to one'
}

function findInstalled() {
  return findChromiums(thisMachine()).find((file) => answers(file)) ?? null
}

/**
 * Where Playwright would keep the browser that it was made for.
 * @param {string} root
 * @param {string} runtime
 */
async function playwrightsOwn(root, runtime) {
  const ask = "import('playwright').then(({ chromium }) => console.log(chromium.executablePath()))"
  const ending = await runQuietly(runtime, ['-e', ask], { cwd: root, env: toolEnv(root) })
  return ending.kind === 'done' ? ending.noise.trim() : null
}

/**
 * @param {string} root
 * @param {string} runtime
 */
async function download(root, runtime) {
  const temp = mkdtempSync(join(tmpdir(), 'countersign-download-'))
  const measure = () => folderBytes(temp) + browserFolders().reduce((sum, folder) => sum + folderBytes(folder), 0)
  const before = measure()
  const args = [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', '--no-shell', 'chromium']
  const env = { ...toolEnv(root), TMPDIR: temp, TEMP: temp, TMP: temp }
  const megabytes = () => `${Math.round((measure() - before) / 1e6)} MB`
  const ending = await withProgress("No Chromium found: fetching Playwright's", megabytes, () =>
    runQuietly(runtime, args, { cwd: root, env, watch: { limitMs: STALL_MS, measure } }),
  )
  rmSync(temp, { recursive: true, force: true })
  if (ending.kind === 'stalled') say(`Given up after ${STALL_MS / 1000} s without progress.`)
  if (ending.kind === 'failed') say(`It could not be fetched (${ending.why}).`)
}

function browserFolders() {
  const own = process.env.PLAYWRIGHT_BROWSERS_PATH
  if (own) return [own]
  return [inHome('.cache', 'ms-playwright'), inHome('Library', 'Caches', 'ms-playwright'), inHome('AppData', 'Local', 'ms-playwright')]
}

/** @param {string} root */
async function installPackage(root) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = /** @param {readonly string[]} args */ (args) =>
    runQuietly('/usr/bin/apt-get', args, {
      cwd: root,
      env,
      watch: { limitMs: 60_000, measure: () => folderBytes('/var/cache/apt/archives') },
    })
  const ending = await withProgress(
    "Installing the distribution's Chromium",
    () => '',
    async () => {
      await apt(['update', '-q'])
      return apt(['install', '-q', '-y', '--no-install-recommends', 'chromium'])
    },
  )
  if (ending.kind !== 'done') say('apt-get could not install it.')
}
