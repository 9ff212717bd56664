import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { hasDisplay, isRoot } from './places.mjs'
import { openWindow } from './open-window.mjs'
import { handSignalsTo } from './processes.mjs'

/** The address that the shell prints: loopback, with the token in its fragment. */
const ADDRESS = /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/\S*/

/**
 * Runs the browser shell from source to its end; once it has printed its address, opens a window on it where one can be.
 * @param {string} root
 * @param {string} runtime
 * @param {readonly string[]} args
 * @param {boolean} open
 * @returns {Promise<number>} its exit code
 */
export function browserShell(root, runtime, args, open) {
  return new Promise((resolve) => {
    const child = spawn(runtime, [join(root, 'main', 'serve.ts'), ...args], { cwd: root, stdio: ['inherit', 'pipe', 'inherit'] })
    const release = handSignalsTo(child)
    let words = open && hasDisplay() && !isRoot() && !process.env.CI ? '' : null
    child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
      process.stdout.write(chunk)
      if (words === null) return
      words += chunk.toString()
      const address = addressIn(words)
      if (address === null) return
      words = null
      openWindow(address)
    })
    child.on('error', (error) => {
      console.error(error.message)
      release()
      resolve(1)
    })
    child.on('close', (code) => {
      release()
      resolve(code ?? 1)
    })
  })
}

/**
 * The first whole line's address, null while none has come.
 * @param {string} words
 * @returns {string | null}
 */
export function addressIn(words) {
  return ADDRESS.exec(words.slice(0, words.lastIndexOf('\n') + 1))?.[0] ?? null
}
