import { ALL_PARTS, build } from './build.mjs'
import { HELP } from './arguments.mjs'
import { SetupFailure, setUp } from './install.mjs'
import { ROOT, toolEnv } from './places.mjs'
import { Interrupted, runOpenly } from './processes.mjs'
import { start } from './start.mjs'
import { runSuites } from './suites.mjs'

/**
 * One command of the bootstrap; sets the exit code.
 * @param {readonly string[]} args
 */
export async function run([command, ...args]) {
  try {
    process.exitCode = await dispatch(command, args)
  } catch (error) {
    if (error instanceof Interrupted) process.exitCode = error.exitCode
    else if (error instanceof SetupFailure) {
      console.error(error.message)
      process.exitCode = 1
    } else throw error
  }
}

/**
 * @param {string | undefined} command
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
async function dispatch(command, args) {
  switch (command) {
    case 'start':
      return start(args)
    case 'test':
      return runSuites(ROOT, await setUp(ROOT), ['unit', 'static', 'e2e'], [])
    case 'check':
      return runSuites(ROOT, await setUp(ROOT), ['static', 'unit'], [])
    case 'test-root':
      return runSuites(ROOT, await setUp(ROOT), ['root'], args)
    case 'test-long':
      return runSuites(ROOT, await setUp(ROOT), ['long'], args)
    case 'e2e':
      return runSuites(ROOT, await setUp(ROOT), ['e2e'], args)
    case 'build':
      return built()
    case 'bench':
      return bench(args)
    case 'live':
      return runOpenly(await setUp(ROOT), ['--import', './main/preflight.mjs', 'test/live/live.ts', ...args], {
        cwd: ROOT,
        env: toolEnv(ROOT),
      })
    default:
      console.log(HELP)
      return command === undefined || command === '--help' || command === 'help' ? 0 : 2
  }
}

async function built() {
  const failed = await build(ROOT, await setUp(ROOT), ALL_PARTS, { always: true })
  if (failed !== null) console.error(failed)
  return failed === null ? 0 : 1
}

/** @param {readonly string[]} args */
async function bench(args) {
  const runtime = await setUp(ROOT)
  const failed = await build(ROOT, runtime, ALL_PARTS)
  if (failed !== null) {
    console.error(failed)
    return 1
  }
  return runOpenly(runtime, ['test/bench/bench.ts', ...args], { cwd: ROOT, env: toolEnv(ROOT) })
}
