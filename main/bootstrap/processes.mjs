import { spawn, spawnSync } from 'node:child_process'

/** Maximum number of characters of a program's output that are kept to explain its failure. */
const KEPT_NOISE = 20_000
/** How often the progress of a watched program is measured (ms). */
const MEASURE_EVERY_MS = 1_000

/**
 * @typedef {{ readonly kind: 'done', readonly noise: string } | { readonly kind: 'failed', readonly why: string, readonly noise: string } | { readonly kind: 'stalled' }} Ending
 * @typedef {object} Watch stops a program that makes no progress
 * @property {number} limitMs without growth and without output
 * @property {() => number} measure something that grows while there is progress, such as bytes on disk
 * @typedef {object} QuietOptions
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {(line: string) => void} [onLine]
 * @property {Watch} [watch]
 */

/**
 * Runs a program without showing its output. The end of the output is in the result. The program and its children are killed
 * when this process is told to end. Never throws.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {QuietOptions} options
 * @returns {Promise<Ending>}
 */
export function runQuietly(command, args, { cwd, env, onLine, watch }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const release = onTermination(() => killTree(child))
    let noise = ''
    let heard = 0
    /** @param {Buffer} chunk */
    const hear = (chunk) => {
      const text = chunk.toString()
      heard += chunk.length
      noise = (noise + text).slice(-KEPT_NOISE)
      if (onLine) for (const line of text.split('\n')) onLine(line)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    /** @param {Ending} ending */
    const finish = (ending) => {
      release()
      stopWatching()
      resolve(ending)
    }
    const stopWatching = watch
      ? whenStalled({ limitMs: watch.limitMs, measure: () => heard + watch.measure() }, () => {
          killTree(child)
          finish({ kind: 'stalled' })
        })
      : () => {}
    child.on('error', (error) => finish({ kind: 'failed', why: error.message, noise }))
    child.on('close', (code, signal) =>
      finish(code === 0 ? { kind: 'done', noise } : { kind: 'failed', why: endedHow(code, signal), noise }),
    )
  })
}

/** This process was told to end, and the running program has ended, so no other program must be started. */
export class Interrupted extends Error {
  /** @param {number} exitCode */
  constructor(exitCode) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/**
 * Runs a program with this process's input and output. Resolves with its exit code, or 1 if a signal ended it or it does not exist.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, limitMs?: number }} options
 * @returns {Promise<number>}
 * @throws {Interrupted}
 */
export function runOpenly(command, args, { cwd, env, limitMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit', windowsHide: true })
    const signals = passSignalsTo(child)
    const limit = limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limitMs)
    /** @param {number} code */
    const finish = (code) => {
      signals.release()
      clearTimeout(limit)
      if (signals.came()) reject(new Interrupted(code))
      else resolve(code)
    }
    child.on('error', (error) => {
      console.error(error.message)
      finish(1)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
}

/**
 * Kills a program and its children.
 * @param {import('node:child_process').ChildProcess} child
 */
export function killTree(child) {
  if (child.pid === undefined || child.exitCode !== null) return
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** A program that was told to end is killed after this time (ms). */
const GRACE_MS = 10_000

/** How often to check that npm still runs (ms). */
const PARENT_EVERY_MS = 1_000

/** The process that started this one: npm or its shell, if npm did. */
const PARENT = process.ppid

/**
 * Passes signals on to a program and waits for it to end. A terminal sends Ctrl+C to the program as well, so SIGINT is not passed
 * on there: a second SIGINT would make the program end at once. If the npm that started this process ends, that counts as a signal.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {{ readonly release: () => void, readonly came: () => boolean }}
 */
export function passSignalsTo(child) {
  let came = false
  const pass = /** @param {NodeJS.Signals} signal */ (signal) => {
    came = true
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  for (const signal of SIGNALS) process.on(signal, pass)
  const stopWatching = whenNpmEnds(() => pass('SIGTERM'))
  const release = () => {
    stopWatching()
    for (const signal of SIGNALS) process.off(signal, pass)
  }
  return { release, came: () => came }
}

/**
 * A signal ends npm's shell, which does not pass it on. After that, Ctrl+C would no longer reach this process. Not watched without
 * npm, where the parent may have put this process in the background on purpose, nor on Windows, where the parent's id does not change.
 * @param {() => void} end
 * @returns {() => void} stops watching
 */
function whenNpmEnds(end) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return () => {}
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    end()
  }, PARENT_EVERY_MS)
  return () => clearInterval(timer)
}

/**
 * Calls `end` and exits when this process is told to end.
 * @param {() => void} end
 * @returns {() => void} stops listening
 */
export function onTermination(end) {
  const stop = /** @param {NodeJS.Signals} signal */ (signal) => {
    end()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/**
 * @param {Watch} watch
 * @param {() => void} onStall
 * @returns {() => void} stops watching
 */
function whenStalled({ limitMs, measure }, onStall) {
  let best = measure()
  let since = Date.now()
  const timer = setInterval(() => {
    const now = measure()
    if (now !== best) {
      best = now
      since = Date.now()
    } else if (Date.now() - since >= limitMs) onStall()
  }, MEASURE_EVERY_MS)
  return () => clearInterval(timer)
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function endedHow(code, signal) {
  return signal ? `ended by ${signal}` : `exit code ${code}`
}
