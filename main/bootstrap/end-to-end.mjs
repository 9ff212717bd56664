import { join } from 'node:path'
import { playwrightCounts, withExitCode } from './counts.mjs'
import { say } from './say.mjs'

/**
 * Playwright's tests in a real Chromium; its configuration builds what they run. Where none can be had they count as skipped, and in CI as a failure, so that a
 * green CI always means that they ran.
 * @param {import('./suites.mjs').Run} run
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
export async function endToEnd({ root, runtime, reports, args, chromium: find, node }) {
  const report = join(reports, 'e2e.json')
  const runner = [join(root, 'node_modules', 'playwright', 'cli.js'), 'test', '-c', join('test', 'e2e', 'playwright.config.ts')]
  const chromium = await find(root, runtime)
  if (chromium.kind === 'found') {
    const env = { CHROMIUM_PATH: chromium.path, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const code = await node([...runner, '--reporter=list,json', ...args], env)
    return withExitCode(playwrightCounts(report), code)
  }
  say(`No Chromium: the end-to-end tests are skipped. To have them: ${chromium.install}`)
  await node([...runner, '--list', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  const { passed, failed: unexpected, skipped } = playwrightCounts(report)
  const mustRun = process.env.CI === 'true'
  if (mustRun) say('In CI they have to run, so this counts as a failure.')
  return { passed: 0, failed: mustRun ? 1 : 0, skipped: passed + unexpected + skipped }
}
