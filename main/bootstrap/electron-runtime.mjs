import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { download, STALL_MS } from './download.mjs'
import { readJson, readText } from './files.mjs'
import { cacheFolder } from './places.mjs'

/** A download that fails within this time (ms) is tried again at the next launch. */
const FAILED_FAST_MS = 2_000

/**
 * The name of Electron's executable on each platform.
 * @type {Readonly<Partial<Record<NodeJS.Platform, string>>>}
 */
const PROGRAMS = { darwin: 'Electron.app/Contents/MacOS/Electron', linux: 'electron', win32: 'electron.exe' }

/**
 * Electron's program on this machine, null if its runtime is not installed: the npm package comes without it.
 * @param {string} root
 * @returns {string | null}
 */
export function electronProgram(root) {
  const home = join(root, 'node_modules', 'electron')
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  // Electron's installer writes the name. A runtime from elsewhere needs no installer.
  const name = readText(join(home, 'path.txt')) || (override ? PROGRAMS[process.platform] : '')
  if (!name) return null
  if (!override && readText(join(home, 'dist', 'version')).replace(/^v/, '') !== wantedVersion(root)) return null
  const program = join(override ?? join(home, 'dist'), name)
  return existsSync(program) ? program : null
}

/**
 * Downloads the runtime. A slow failure is remembered, so that the next launch does not wait again. `again` tries anyway.
 * @param {string} root
 * @param {string} runtime
 * @param {boolean} again
 * @returns {Promise<string | null>} null if it is installed now, else why not
 */
export async function fetchElectron(root, runtime, again) {
  const noteFile = join(cacheFolder(root), `electron-${wantedVersion(root)}.txt`)
  const refused = readText(noteFile)
  if (refused !== '' && !again) return `${refused} ("npm start -- --electron" tries again)`
  const since = Date.now()
  const why = await downloadRuntime(root, runtime)
  const slow = Date.now() - since > FAILED_FAST_MS
  mkdirSync(cacheFolder(root), { recursive: true })
  if (why === null) rmSync(noteFile, { force: true })
  else if (slow) writeFileSync(noteFile, why)
  return why
}

/**
 * @param {string} root
 * @param {string} runtime
 */
async function downloadRuntime(root, runtime) {
  const home = join(root, 'node_modules', 'electron')
  const ending = await download(root, runtime, {
    what: "Downloading Electron's runtime",
    args: [join(home, 'install.js')],
    folders: [join(home, 'dist')],
  })
  if (ending.kind === 'done' && electronProgram(root)) return null
  if (ending.kind === 'stalled') return `Electron's runtime could not be downloaded: no progress for ${STALL_MS / 1000} s`
  if (ending.kind === 'done') return "Electron's runtime could not be downloaded: its installer ended without installing it"
  const unreachable = /fetch failed|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH/.test(ending.noise)
  return `Electron's runtime could not be downloaded: ${unreachable ? 'its site cannot be reached' : reasonIn(ending.noise)}`
}

/**
 * The line with the error message, without its stack and the brackets of Chromium's log.
 * @param {string} noise
 */
export function reasonIn(noise) {
  const lines = noise
    .split('\n')
    .map((line) => line.trim().replace(/^\[[^\]]*\]\s*/, ''))
    .filter((line) => line !== '' && !line.startsWith('at '))
  return lines.findLast?.((line) => /error|fatal|failed|cannot/i.test(line)) ?? lines.at(-1) ?? 'it ended without a message'
}

/** @param {string} root */
function wantedVersion(root) {
  /** @type {{ readonly version: string } | null} */
  const manifest = readJson(join(root, 'node_modules', 'electron', 'package.json'))
  return manifest?.version ?? ''
}
