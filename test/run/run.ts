import { build, ALL_PARTS } from '../../main/bootstrap/build.mjs'
import { ROOT, toolEnv } from '../../main/bootstrap/places.mjs'
import { Interrupted, runOpenly } from '../../main/bootstrap/processes.mjs'
import { runSuites, type Suite } from './suites.ts'

/** The suites that each command of `npm run` runs, in this order. */
const SUITES: Readonly<Record<string, readonly Suite[]>> = {
  test: ['unit', 'static', 'e2e-fast'],
  'test-slow': ['slow', 'e2e-slow'],
  check: ['static', 'unit'],
  'test-root': ['root'],
  'test-root-slow': ['root-slow'],
  'test-long': ['long'],
  e2e: ['e2e'],
}

// The bootstrap (main/bootstrap/cli.mjs) starts this file after it has installed the packages and the version of Node that runs this
// file.
const [command = 'test', ...args] = process.argv.slice(2)
try {
  process.exitCode = await run()
} catch (error) {
  if (!(error instanceof Interrupted)) throw error
  process.exitCode = error.exitCode
}

async function run(): Promise<number> {
  const tool = (...toolArgs: readonly string[]): Promise<number> =>
    runOpenly(process.execPath, [...toolArgs, ...args], { cwd: ROOT, env: toolEnv(ROOT) })
  if (command === 'live') return tool('--import', './main/preflight.mjs', 'test/live/live.ts')
  if (command === 'bench') return (await built()) ? tool('--import', './test/bench/built-host-process.ts', 'test/bench/bench.ts') : 1
  return runSuites(ROOT, SUITES[command] ?? [], args)
}

/** Builds first, because the benchmarks measure what is shipped. */
async function built(): Promise<boolean> {
  const failed = await build(ROOT, process.execPath, ALL_PARTS)
  if (failed !== null) console.error(failed)
  return failed === null
}
