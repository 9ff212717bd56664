import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromiums, thisMachine } from './chromium.mjs'

/** Long enough for a cold browser on a slow machine to have read the page that leads it on (ms). */
const PAGE_LIVES_MS = 60_000

/**
 * Opens the address in a window of its own, without a browser's bars, where a browser of the Chromium family is installed.
 * The address holds a secret and other users of the machine can read command lines, so the browser is sent to a page that
 * only this user can read, which leads it on. One from a snap cannot read such a file: then the address has been printed.
 * @param {string} address
 */
export function openWindow(address) {
  const browser = findChromiums(thisMachine()).find((file) => !file.startsWith('/snap/'))
  if (browser === undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'countersign-open-'))
  const page = join(folder, 'open.html')
  writeFileSync(page, pageTo(address), { mode: 0o600 })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, PAGE_LIVES_MS).unref()
  process.once('exit', remove)
  spawn(browser, [`--app=${pathToFileURL(page).href}`], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

/** @param {string} address */
export function pageTo(address) {
  const quoted = JSON.stringify(address).replaceAll('<', '\\u003c')
  return `<!doctype html><meta charset="utf-8"><title>Countersign</title><script>location.replace(${quoted})</script>\n`
}
