import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reasonIn } from './electron-runtime.mjs'
import { hasDisplay, isRoot } from './places.mjs'
import { passSignalsTo, runOpenly } from './processes.mjs'

/** If Electron fails within this time (ms), it counts as never having run. */
const RAN_MS = 5_000

/**
 * Runs the desktop shell until it ends.
 * @param {string} root
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<number | string>} its exit code, or why it did not start
 */
export function desktopShell(root, program, args) {
  return new Promise((resolve) => {
    const since = Date.now()
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    const child = spawn(program, [root, ...args], { cwd: root, env, stdio: ['inherit', 'inherit', 'pipe'] })
    const { release, came } = passSignalsTo(child)
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
      else if (Date.now() - since < RAN_MS && !came()) resolve(`Electron ended at once: ${endReason(program, words, signal)}`)
      else resolve(code ?? 1)
    })
  })
}

/**
 * The line with which Chromium aborts says more than the signal with which it then ends.
 * @param {string} program
 * @param {string} words
 * @param {string | null} signal
 */
function endReason(program, words, signal) {
  const fatal = words
    .split('\n')
    .filter((line) => /\bFATAL\b/.test(line))
    .at(-1)
  const reason = fatal === undefined ? (signal ?? reasonIn(words)) : reasonIn(fatal)
  return /sandbox/i.test(reason) ? `${reason}\n${sandboxRemedy(program)}` : reason
}

/**
 * From Ubuntu 23.10 on, only programs with an AppArmor profile may create the namespaces that Chromium's sandbox needs.
 * @param {string} program
 */
function sandboxRemedy(program) {
  return [
    'The system does not let Electron create its sandbox. On Ubuntu, save these lines as /etc/apparmor.d/countersign-electron:',
    'abi <abi/4.0>,',
    'include <tunables/global>',
    `profile countersign-electron "${program}" flags=(unconfined) {`,
    '  userns,',
    '}',
    'Then run: sudo apparmor_parser -r /etc/apparmor.d/countersign-electron',
  ].join('\n')
}

/**
 * Runs the browser shell from source until it ends. It prints its address, and opens a window if one can be opened.
 * @param {string} root
 * @param {string} runtime
 * @param {readonly string[]} args
 * @param {boolean} open
 * @returns {Promise<number>} its exit code
 */
export function browserShell(root, runtime, args, open) {
  const window = open && mayOpenWindow({ root: isRoot(), display: hasDisplay(), ci: Boolean(process.env.CI) })
  // The preflight switches on the compile cache, which helps only modules that are loaded after it.
  const shell = ['--import', pathToFileURL(join(root, 'main', 'preflight.mjs')).href, join(root, 'main', 'serve.ts')]
  return runOpenly(runtime, [...shell, ...args, ...(window ? ['--open'] : [])], { cwd: root, env: process.env })
}

/**
 * Not as root: a browser started by root would run without its sandbox, or not at all.
 * @param {{ readonly root: boolean, readonly display: boolean, readonly ci: boolean }} machine
 */
export function mayOpenWindow({ root, display, ci }) {
  return display && !root && !ci
}
