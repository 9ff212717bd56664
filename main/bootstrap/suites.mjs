import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumForTests } from './chromium-for-tests.mjs'
import { inWords, sum, vitestCounts, withExitCode } from './counts.mjs'
import { endToEnd } from './end-to-end.mjs'
import { toolEnv } from './places.mjs'
import { runOpenly } from './processes.mjs'
import { secondsSince } from './say.mjs'

/** No suite takes longer than this; one that hangs must not hang whoever waits for it (ms). */
const SUITE_LIMIT_MS = 30 * 60_000

/** @typedef {'static' | 'unit' | 'root' | 'long' | 'e2e'} Suite */

/**
 * What a suite needs.
 * @typedef {object} Run
 * @property {string} root
 * @property {string} runtime
 * @property {string} reports a folder for machine-readable reports, gone afterwards
 * @property {readonly string[]} args passed on to the test runner
 * @property {typeof chromiumForTests} chromium finds a browser
 * @property {(args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<number>} node runs one of our tools in the open
 */

/**
 * Runs suites one after the other, all of them even where one fails, and ends with one line that counts over all.
 * @param {string} root
 * @param {string} runtime
 * @param {readonly Suite[]} suites
 * @param {readonly string[]} args
 * @param {typeof chromiumForTests} [chromium]
 * @returns {Promise<number>} exit code
 */
export async function runSuites(root, runtime, suites, args, chromium = chromiumForTests) {
  const since = Date.now()
  const reports = mkdtempSync(join(tmpdir(), 'countersign-reports-'))
  try {
    /** @type {Run['node']} */
    const node = (toolArgs, env = {}) =>
      runOpenly(runtime, toolArgs, { cwd: root, env: { ...toolEnv(root), ...env }, limitMs: SUITE_LIMIT_MS })
    const results = []
    for (const suite of suites) results.push(await SUITES[suite]({ root, runtime, reports, args, chromium, node }))
    const counts = sum(results)
    console.log(`\nAll suites: ${inWords(counts)} (${secondsSince(since)})`)
    return counts.failed === 0 ? 0 : 1
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

/** @type {Readonly<Record<Suite, (run: Run) => Promise<import('./counts.mjs').Counts>>>} */
const SUITES = {
  static: staticChecks,
  unit: (run) => vitest(run, 'vitest.config.ts'),
  root: async (run) => {
    // The ordinary user who is tested next cannot install it.
    await run.chromium(run.root, run.runtime)
    return vitest(run, 'vitest.root.config.ts')
  },
  long: (run) => vitest(run, 'vitest.long.config.ts'),
  e2e: endToEnd,
}

/** The checks that need no run of ours; each counts as one test. */
const CHECKS = [
  { name: 'format', tool: ['oxfmt', 'bin', 'oxfmt'], args: ['--check', '.'] },
  { name: 'lint', tool: ['oxlint', 'bin', 'oxlint'], args: ['.'] },
  { name: 'types', tool: ['typescript', 'bin', 'tsc'], args: ['-b'] },
]

/**
 * @param {Run} run
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
async function staticChecks({ root, node }) {
  let passed = 0
  for (const { name, tool, args } of CHECKS) {
    const code = await node([join(root, 'node_modules', ...tool), ...args])
    console.log(`${code === 0 ? '✓' : '✗'} ${name}`)
    if (code === 0) passed += 1
  }
  return { passed, failed: CHECKS.length - passed, skipped: 0 }
}

/**
 * @param {Run} run
 * @param {string} config
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
async function vitest({ root, reports, args, node }, config) {
  const report = join(reports, `${config}.json`)
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const code = await node([
    runner,
    'run',
    '--config',
    join('test', config),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ])
  return withExitCode(vitestCounts(report), code)
}
