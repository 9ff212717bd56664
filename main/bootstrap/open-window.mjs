import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromiums, thisMachine } from './find-chromium.mjs'

/** Long enough for a slow machine to start a browser that reads the page (ms). */
const PAGE_LIVES_MS = 60_000

/**
 * Opens the address in its own window without browser bars, if a Chromium-family browser is installed. The address contains a
 * secret, and other users of the machine can read command lines, so the browser is given a file that only this user can read and
 * that redirects to the address. Browsers from a snap cannot read that file and are not used; the address is printed anyway.
 * @param {string} address
 * @param {{ readonly path: string, check(file: string): string | null }} programs `path`: the PATH for the browser. `check`: null if a
 *   file may not be started.
 */
export function openWindow(address, { path, check }) {
  const found = findChromiums(thisMachine()).filter((file) => !file.startsWith('/snap/'))
  const browser = found.map((file) => check(file)).find((file) => file !== null)
  if (!browser) return
  const folder = mkdtempSync(join(tmpdir(), 'countersign-open-'))
  const page = join(folder, 'open.html')
  writeFileSync(page, redirectPage(address), { mode: 0o600 })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, PAGE_LIVES_MS).unref()
  process.once('exit', remove)
  spawn(browser, [`--app=${pathToFileURL(page).href}`], { stdio: 'ignore', detached: true, env: { ...process.env, PATH: path } })
    .on('error', () => {})
    .unref()
}

/** @param {string} address */
export function redirectPage(address) {
  const quoted = JSON.stringify(address).replaceAll('<', '\\u003c')
  return `<!doctype html><meta charset="utf-8"><title>Countersign</title><script>location.replace(${quoted})</script>\n`
}
