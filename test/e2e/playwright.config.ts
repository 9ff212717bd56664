import { availableParallelism } from 'node:os'
import { defineConfig } from 'playwright/test'
import { findChromiums, thisMachine } from '../../main/bootstrap/find-chromium.mjs'

/**
 * End-to-end: the shells as they are shipped, built before the first test where anything is newer than its build, in a real
 * Chromium. `npm test` and `npm run e2e` find the browser and pass `CHROMIUM_PATH`; run by hand, the first Chromium of this
 * machine is taken. `COUNTERSIGN_SLOW=4` looks for races. Only CI runs a failed test again: it names those that then pass, and
 * fails with more than three of them. Recording traces doubles the time of a run: ask for one with `--trace on`, and for
 * pictures of every state that a test passes with
 * `COUNTERSIGN_PICTURES=all`. `npm test` runs all but `*.slow.spec.ts` and tests with the tag `@slow` (`COUNTERSIGN_TESTS=fast`), `npm run test:slow` only those.
 */
const SPEED = process.env.COUNTERSIGN_TESTS
/** Playwright compares it with the name of the file, the title and the tags of each test. */
const SLOW = /\.slow\.spec\.ts|@slow/

const executablePath = findChromiums(thisMachine())[0]

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  ...(SPEED === 'slow' && { grep: SLOW }),
  ...(SPEED === 'fast' && { grepInvert: SLOW }),
  outputDir: '../../test-results',
  globalSetup: './global-setup.config.ts',
  // Each test has a shell, a port and folders of its own; a file stays together, since some share a page that is built once.
  // Two more than there are cores: a test spends much of its time in timers of the desk that nobody can hurry.
  workers: Math.min(4, availableParallelism() + 2),
  fullyParallel: false,
  forbidOnly: process.env.CI === 'true',
  retries: process.env.CI === 'true' ? 1 : 0,
  // Only failing tests wait this long; on a busy machine tests are slow but not wrong.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    // A window of a whole browser costs more than most tests do in it. Each test gets it as new: one empty page, and nothing stored, routed,
    // granted, emulated or scripted.
    reuseContext: true,
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--disable-background-networking', '--force-color-profile=srgb'],
    },
  },
})
