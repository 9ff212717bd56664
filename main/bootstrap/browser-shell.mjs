import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasDisplay, isRoot } from './places.mjs'
import { runOpenly } from './processes.mjs'

/**
 * Runs the browser shell from source to its end; it prints its address, and opens a window on it where one can be.
 * @param {string} root
 * @param {string} runtime
 * @param {readonly string[]} args
 * @param {boolean} open
 * @returns {Promise<number>} its exit code
 */
export function browserShell(root, runtime, args, open) {
  const window = open && mayOpenWindow({ root: isRoot(), display: hasDisplay(), ci: Boolean(process.env.CI) })
  // first of all what keeps compiled code: switched on by the shell's own first line it would come too late for what is loaded with it
  const shell = ['--import', pathToFileURL(join(root, 'main', 'preflight.mjs')).href, join(root, 'main', 'serve.ts')]
  return runOpenly(runtime, [...shell, ...args, ...(window ? ['--open'] : [])], { cwd: root, env: process.env })
}

/**
 * A browser started by root would run without its sandbox, or not at all.
 * @param {{ readonly root: boolean, readonly display: boolean, readonly ci: boolean }} machine
 */
export function mayOpenWindow({ root, display, ci }) {
  return display && !root && !ci
}
