import { ALL_PARTS, build } from './build.mjs'
import { HELP } from './arguments.mjs'
import { SetupFailure, setUp } from './install/install.mjs'
import { ROOT, toolEnv } from './places.mjs'
import { Interrupted, runOpenly } from './processes.mjs'
import { start } from './start.mjs'

/** `test/run/run.ts` runs these. */
const TEST_COMMANDS = ['test', 'check', 'test-slow', 'test-root', 'test-root-slow', 'test-long', 'e2e', 'bench', 'live']

/**
 * Runs one command of the bootstrap and sets the exit code.
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
  if (command === 'start') return start(args)
  if (command === 'build') return buildAll()
  if (command !== undefined && TEST_COMMANDS.includes(command)) {
    const runtime = await setUp(ROOT)
    return runOpenly(runtime, ['test/run/run.ts', command, ...args], { cwd: ROOT, env: toolEnv(ROOT) })
  }
  console.log(HELP)
  return command === undefined || command === '--help' || command === 'help' ? 0 : 2
}

async function buildAll() {
  const failed = await build(ROOT, await setUp(ROOT), ALL_PARTS, { always: true })
  if (failed !== null) console.error(failed)
  return failed === null ? 0 : 1
}
