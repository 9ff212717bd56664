import { spawn } from 'node:child_process'
import { reasonIn } from './electron-runtime.mjs'
import { handSignalsTo } from './processes.mjs'

/** Electron that ends with a failure sooner than this never really ran (ms). */
const RAN_MS = 5_000

/**
 * Runs the desktop shell to its end.
 * @param {string} root
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<number | string>} its exit code, or why it did not come up
 */
export function desktop(root, program, args) {
  return new Promise((resolve) => {
    const since = Date.now()
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    const child = spawn(program, [root, ...args], { cwd: root, env, stdio: ['inherit', 'inherit', 'pipe'] })
    const { release, came } = handSignalsTo(child)
    let words = ''
    child.stderr.on('data', (/** @type {Buffer} */ chunk) => {
      words = (words + chunk.toString()).slice(-8_000)
      process.stderr.write(chunk)
    })
    child.on('error', (error) => {
      release()
      resolve(`Electron could not be started (${error.message})`)
    })
    child.on('close', (code, signal) => {
      release()
      if (code === 0) resolve(0)
      else if (Date.now() - since < RAN_MS && !came()) resolve(`Electron ended at once: ${signal ?? reasonIn(words)}`)
      else resolve(code ?? 1)
    })
  })
}
