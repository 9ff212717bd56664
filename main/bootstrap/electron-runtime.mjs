import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STALL_MS } from './chromium-for-tests.mjs'
import { folderBytes } from './folder-bytes.mjs'
import { readJson } from './json-file.mjs'
import { cacheFolder, toolEnv } from './places.mjs'
import { runQuietly } from './processes.mjs'
import { withProgress } from './say.mjs'

/** A failure within this time keeps nobody waiting, so it is simply tried again at the next start (ms). */
const FAILED_FAST_MS = 2_000

/**
 * Electron's program on this machine, null where its runtime is not installed: the package comes without it and fetches it
 * when first used.
 * @param {string} root
 * @returns {string | null}
 */
export function electronProgram(root) {
  const home = join(root, 'node_modules', 'electron')
  const name = readText(join(home, 'path.txt'))
  if (name === '') return null
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (!override && readText(join(home, 'dist', 'version')).replace(/^v/, '') !== wantedVersion(root)) return null
  const program = join(override ?? join(home, 'dist'), name)
  return existsSync(program) ? program : null
}

/**
 * Fetches the runtime. A download that makes no progress is given up and remembered, so that the next start does not wait
 * for it again; `again` tries all the same.
 * @param {string} root
 * @param {string} runtime
 * @param {boolean} again
 * @returns {Promise<string | null>} null when it is there, else why it is not
 */
export async function fetchElectron(root, runtime, again) {
  const noteFile = join(cacheFolder(root), `electron-${wantedVersion(root)}.txt`)
  const refused = readText(noteFile)
  if (refused !== '' && !again) return `${refused} ("npm start -- --electron" tries again)`
  const since = Date.now()
  const why = await download(root, runtime)
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
async function download(root, runtime) {
  const temp = mkdtempSync(join(tmpdir(), 'countersign-download-'))
  const home = join(root, 'node_modules', 'electron')
  const measure = () => folderBytes(temp) + folderBytes(join(home, 'dist'))
  const env = { ...toolEnv(root), TMPDIR: temp, TEMP: temp, TMP: temp }
  const ending = await withProgress(
    "Fetching Electron's runtime",
    () => `${Math.round(measure() / 1e6)} MB`,
    () => runQuietly(runtime, [join(home, 'install.js')], { cwd: root, env, watch: { limitMs: STALL_MS, measure } }),
  )
  rmSync(temp, { recursive: true, force: true })
  if (ending.kind === 'done' && electronProgram(root)) return null
  if (ending.kind === 'stalled') return `Electron's runtime could not be fetched: no progress for ${STALL_MS / 1000} s`
  if (ending.kind === 'done') return "Electron's runtime could not be fetched: its package left none"
  const unreachable = /fetch failed|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH/.test(ending.noise)
  return `Electron's runtime could not be fetched: ${unreachable ? 'its site cannot be reached' : reasonIn(ending.noise)}`
}

/** The line that names the error, without its stack and the brackets of Chromium's log. @param {string} noise */
export function reasonIn(noise) {
  const lines = noise
    .split('\n')
    .map((line) => line.trim().replace(/^\[[^\]]*\]\s*/, ''))
    .filter((line) => line !== '' && !line.startsWith('at '))
  return lines.findLast?.((line) => /error|fatal|failed|cannot/i.test(line)) ?? lines.at(-1) ?? 'it ended without a word'
}

/** @param {string} root */
function wantedVersion(root) {
  /** @type {{ readonly version: string } | null} */
  const manifest = readJson(join(root, 'node_modules', 'electron', 'package.json'))
  return manifest?.version ?? ''
}

/** @param {string} file */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
