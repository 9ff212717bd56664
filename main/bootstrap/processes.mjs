import { spawn, spawnSync } from 'node:child_process'

/** How much of a program's output is kept to explain its failure (characters). */
const KEPT_NOISE = 20_000
/** How often growth is measured where a program must not stall (ms). */
const MEASURE_EVERY_MS = 1_000

/**
 * @typedef {{ readonly kind: 'done', readonly noise: string } | { readonly kind: 'failed', readonly why: string, readonly noise: string } | { readonly kind: 'stalled' }} Ending
 * @typedef {object} Watch ends a program that makes no progress
 * @property {number} limitMs without growth and without output
 * @property {() => number} measure something that grows while there is progress, such as bytes on disk
 * @typedef {object} QuietOptions
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {(line: string) => void} [onLine]
 * @property {Watch} [watch]
 */

/**
 * Runs a program and keeps its output to itself; the last of it comes back only on failure. The program and what it starts
 * are ended with us. Never throws.
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
    const release = endWithUs(() => killTree(child))
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

/** We were told to end, and what ran has ended: nothing more is to be begun. */
export class Interrupted extends Error {
  /** @param {number} exitCode */
  constructor(exitCode) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/**
 * Runs a program on our own terminal; resolves with its exit code (1 where a signal or a missing program ended it).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, limitMs?: number }} options
 * @returns {Promise<number>}
 * @throws {Interrupted}
 */
export function runOpenly(command, args, { cwd, env, limitMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit', windowsHide: true })
    const signals = handSignalsTo(child)
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
 * Ends a program with all that it started.
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

/** A program that was told to end has this long to do so (ms). */
const GRACE_MS = 10_000

/** How often it is looked whether npm is still there (ms). */
const PARENT_EVERY_MS = 1_000

/** Who started us: npm or its shell, where npm did. */
const PARENT = process.ppid

/**
 * Hands signals on to a program that ends by itself then, and outlives it: its end is ours. A terminal has told the program
 * already when it tells us; told twice it would not take its time. The end of the npm that started us counts as a signal.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {{ readonly release: () => void, readonly came: () => boolean }}
 */
export function handSignalsTo(child) {
  let came = false
  const hand = /** @param {NodeJS.Signals} signal */ (signal) => {
    came = true
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  for (const signal of SIGNALS) process.on(signal, hand)
  const stopWatching = whenLeftByNpm(() => hand('SIGTERM'))
  const release = () => {
    stopWatching()
    for (const signal of SIGNALS) process.off(signal, hand)
  }
  return { release, came: () => came }
}

/**
 * npm's shell ends by a signal without handing it on, and then nobody could end us any more with Ctrl+C. Started without npm we
 * may well have been put in the background on purpose; on Windows a parent that has gone keeps its number.
 * @param {() => void} end
 * @returns {() => void} stops watching
 */
function whenLeftByNpm(end) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return () => {}
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    end()
  }, PARENT_EVERY_MS)
  return () => clearInterval(timer)
}

/**
 * Calls `end` when we are told to end, and then ends; returns what takes this back.
 * @param {() => void} end
 * @returns {() => void}
 */
export function endWithUs(end) {
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
