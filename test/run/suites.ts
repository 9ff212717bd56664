import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolEnv } from '../../main/bootstrap/places.mjs'
import { runOpenly } from '../../main/bootstrap/processes.mjs'
import { say, secondsSince } from '../../main/bootstrap/say.mjs'
import { chromiumForTests } from './chromium-for-tests.ts'
import { type Counts, inWords, playwrightCounts, sum, vitestCounts, withExitCode } from './counts.ts'
import { memoryFolder } from './memory-folder.ts'
import { buildShell } from '../support/built-shell.ts'
import { copyPackagesForTests } from './packages.ts'

/** Time limit of a suite, in ms. A suite that takes longer is considered hung and is stopped. */
const SUITE_LIMIT_MS = 60 * 60_000

/** Which tests of a suite run: all but the slow ones (`*.slow.*` and the tag `@slow`), only the slow ones, or all. */
type Speed = 'fast' | 'slow' | 'all'

export type Suite = 'static' | 'unit' | 'slow' | 'root' | 'root-slow' | 'long' | 'e2e' | 'e2e-fast' | 'e2e-slow'

/** The suites that keep their temporary files in memory if they can. */
const IN_MEMORY: ReadonlySet<Suite> = new Set(['unit', 'root', 'e2e-fast'])

interface Run {
  readonly root: string
  /** A folder for machine-readable reports, which is removed afterwards. */
  readonly reports: string
  /** Arguments that are passed on to the test runner. */
  readonly args: readonly string[]
  readonly findChromium: typeof chromiumForTests
  /** Runs one of the project's tools and shows its output. */
  readonly node: (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<number>
}

/**
 * Runs all suites one after the other, even if one fails. Prints the failed tests and the counts of all suites. Returns the exit code.
 */
export async function runSuites(
  root: string,
  suites: readonly Suite[],
  args: readonly string[],
  findChromium = chromiumForTests,
): Promise<number> {
  const since = Date.now()
  const reports = mkdtempSync(join(tmpdir(), 'countersign-reports-'))
  const memory = suites.some((suite) => IN_MEMORY.has(suite)) ? memoryFolder() : null
  const node: Run['node'] = (toolArgs, env = {}) =>
    runOpenly(process.execPath, toolArgs, { cwd: root, env: { ...toolEnv(root), ...env }, limitMs: SUITE_LIMIT_MS })
  try {
    const results: Counts[] = []
    for (const suite of suites) {
      const temporary = memory !== null && IN_MEMORY.has(suite) ? { TMPDIR: memory } : {}
      const inPlace: Run['node'] = (toolArgs, env) => node(toolArgs, { ...temporary, ...env })
      results.push(await RUN[suite]({ root, reports, args, findChromium, node: inPlace }))
    }
    const counts = sum(results)
    for (const line of counts.unsteady) console.log(`Unsteady, passed when run again: ${line}`)
    for (const failure of counts.failures) console.log(`Failed: ${failure}`)
    console.log(`\nAll suites: ${inWords(counts)} (${secondsSince(since)})`)
    return counts.failed === 0 ? 0 : 1
  } finally {
    rmSync(reports, { recursive: true, force: true })
    if (memory !== null) rmSync(memory, { recursive: true, force: true })
  }
}

const RUN: Readonly<Record<Suite, (run: Run) => Promise<Counts>>> = {
  static: staticChecks,
  unit: (run) => withBuild(() => withCopies(run, 'vitest.config.ts', 'fast')),
  slow: (run) => withBuild(() => withCopies(run, 'vitest.config.ts', 'slow')),
  root: async (run) => {
    // The browser is installed now, because the ordinary user whose tests run next (.ci/run) cannot install it.
    await run.findChromium(run.root)
    return withBuild(() => withCopies(run, 'vitest.root.config.ts', 'fast'))
  },
  'root-slow': (run) => withBuild(() => withCopies(run, 'vitest.root.config.ts', 'slow')),
  long: (run) => withCopies(run, 'vitest.long.config.ts', 'all'),
  e2e: (run) => endToEnd(run, 'all'),
  'e2e-fast': (run) => endToEnd(run, 'fast'),
  'e2e-slow': (run) => endToEnd(run, 'slow'),
}

const UNUSED = ['knip', 'bin', 'knip.js']
const UNUSED_CONFIG = ['--config', 'test/knip.config.ts']

/** Checks of the sources, in groups that run at once: each of the last two uses one core. Each check counts as one test. */
const CHECKS = [
  [{ name: 'format', tool: ['oxfmt', 'bin', 'oxfmt'], args: ['--check', '.'] }],
  [{ name: 'lint', tool: ['oxlint', 'bin', 'oxlint'], args: ['.'] }],
  [{ name: 'types', tool: ['typescript', 'bin', 'tsc'], args: ['-b'] }],
  [
    { name: 'unused code', tool: UNUSED, args: UNUSED_CONFIG },
    { name: 'code that only tests use', tool: UNUSED, args: [...UNUSED_CONFIG, '--production'] },
  ],
]

async function staticChecks({ root, node }: Run): Promise<Counts> {
  const failures: string[] = []
  const check = async ({ name, tool, args }: (typeof CHECKS)[number][number]): Promise<void> => {
    const code = await node([join(root, 'node_modules', ...tool), ...args])
    console.log(`${code === 0 ? '✓' : '✗'} ${name}`)
    if (code !== 0) failures.push(name)
  }
  for (const group of CHECKS) await Promise.all(group.map(check))
  return { passed: CHECKS.flat().length - failures.length, failed: failures.length, skipped: 0, failures, unsteady: [] }
}

/** The tests start the headless shell some 400 times, and it starts three times as fast from its build as from its sources. */
async function withBuild(test: () => Promise<Counts>): Promise<Counts> {
  let remove: Awaited<ReturnType<typeof buildShell>>
  try {
    remove = await buildShell()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0, failures: ['build'], unsteady: [] }
  }
  try {
    return await test()
  } finally {
    await remove()
  }
}

/**
 * Runs Vitest's tests, including those of copies. In CI, it counts as a failure if tests of copies must be skipped, so that a passing run
 * always means that they ran.
 */
async function withCopies(run: Run, config: string, speed: Speed): Promise<Counts> {
  const missing = await copyPackagesForTests(run.root)
  const counts = await vitest(run, config, speed)
  if (missing.length === 0 || process.env['CI'] !== 'true') return counts
  const failure = `tests of commands in copies: no ${missing.join(' and no ')}`
  return { ...counts, failed: counts.failed + 1, failures: [...counts.failures, failure] }
}

async function vitest({ root, reports, args, node }: Run, config: string, speed: Speed): Promise<Counts> {
  const report = join(reports, `${config}.json`)
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await node([runner, 'run', '--config', join('test', config), ...reporters, ...args], { COUNTERSIGN_TESTS: speed })
  return withExitCode(vitestCounts(report), code)
}

/**
 * Runs Playwright's tests in a real Chromium. Playwright's configuration builds what the tests need. Without a Chromium the tests count as
 * skipped, or in CI as a failure, so that a passing CI run always means that they ran.
 */
async function endToEnd({ root, reports, args, findChromium, node }: Run, speed: Speed): Promise<Counts> {
  const report = join(reports, 'e2e.json')
  const runner = [join(root, 'node_modules', 'playwright', 'cli.js'), 'test', '-c', join('test', 'e2e', 'playwright.config.ts')]
  const chromium = await findChromium(root)
  if (chromium.kind === 'found') {
    const env = { CHROMIUM_PATH: chromium.path, PLAYWRIGHT_JSON_OUTPUT_NAME: report, COUNTERSIGN_TESTS: speed }
    const code = await node([...runner, '--reporter=list,json', ...args], env)
    return withExitCode(playwrightCounts(report), code)
  }
  say(`No Chromium, so the end-to-end tests are skipped. To run them: ${chromium.install}`)
  await node([...runner, '--list', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report, COUNTERSIGN_TESTS: speed })
  const { passed, failed: unexpected, skipped } = playwrightCounts(report)
  const mustRun = process.env['CI'] === 'true'
  if (mustRun) say('In CI they must run, so this counts as a failure.')
  const failures = mustRun ? ['end-to-end tests: no Chromium'] : []
  return { passed: 0, failed: failures.length, skipped: passed + unexpected + skipped, failures, unsteady: [] }
}
