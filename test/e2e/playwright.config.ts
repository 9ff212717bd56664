import { availableParallelism } from 'node:os'
import { defineConfig } from 'playwright/test'
import type { DeskFixtures } from './support/desk-test.ts'
import { findChromiums, thisMachine } from '../../main/bootstrap/find-chromium.mjs'

/**
 * End-to-end tests of the shells as they are shipped, in a real Chromium. Most specs start the browser shell (project `browser`), some the
 * desktop shell (`desktop-wire`), and the main ones both in the slow run. The shells are built before the first test if any source is
 * newer than its build. `npm test` and `npm run e2e` find the browser and pass `CHROMIUM_PATH`. Without it, the first Chromium of this
 * machine is used. `COUNTERSIGN_SLOW=4` slows pages down to find races. Only CI runs a failed test again. CI lists the tests that then
 * pass, and fails if there are more than three of them. Recording traces doubles the time of a run, so use `--trace on` only when needed,
 * and `COUNTERSIGN_PICTURES=all` for screenshots of every state that a test passes through. `npm test` runs all tests except
 * `*.slow.spec.ts` and tests with the tag `@slow` (`COUNTERSIGN_TESTS=fast`). `npm run test:slow` runs only those.
 */
const SPEED = process.env.COUNTERSIGN_TESTS
/** Playwright matches this pattern against the file name, the title and the tags of each test. */
const SLOW = /\.slow\.spec\.ts|@slow/

const speed = { ...(SPEED === 'slow' && { grep: SLOW }), ...(SPEED === 'fast' && { grepInvert: SLOW }) }

/** The desktop shell on the fake Electron, whose page is drawn in Chromium over the desktop's wire and with its content policy. */
const desktop = { use: { shell: 'desktop' } } as const
const DESKTOP_ONLY = '**/*.desktop.spec.ts'
/** Specs of the browser shell that also run on the desktop shell in the slow run, with all of their tests. */
const DESKTOP_SLOW = [
  'agents/agents.spec.ts',
  'changes/command-blocks.spec.ts',
  'changes/review-request.spec.ts',
  'changes/undo.spec.ts',
  'history/history-search.spec.ts',
  'ledger/terminal-live.slow.spec.ts',
  'settings/settings-page.slow.spec.ts',
  'tray/hunks.spec.ts',
  'tray/sign.spec.ts',
  'workflow/plan.spec.ts',
  'workflow/questions.spec.ts',
]

const executablePath = findChromiums(thisMachine())[0]

export default defineConfig<Pick<DeskFixtures, 'shell'>>({
  testDir: '.',
  projects: [
    { name: 'browser', testMatch: '**/*.spec.ts', testIgnore: DESKTOP_ONLY, ...speed },
    { name: 'desktop-wire', testMatch: DESKTOP_ONLY, ...desktop, ...speed },
    ...(SPEED === 'fast' ? [] : [{ name: 'desktop-wire-slow', testMatch: DESKTOP_SLOW, ...desktop }]),
  ],
  outputDir: '../../test-results',
  // `npm run e2e -- --update-snapshots FILE` rewrites the texts that a test compares.
  snapshotPathTemplate: '{testFileDir}/{testFileName}-texts/{arg}{ext}',
  globalSetup: './global-setup.config.ts',
  // Each test has its own shell, port and folders. The tests of a file run in one worker, because some share a page that is built once.
  // There are two more workers than cores, but at most four: tests often wait for timers of the app that cannot be shortened.
  workers: Math.min(4, availableParallelism() + 2),
  fullyParallel: false,
  forbidOnly: process.env.CI === 'true',
  retries: process.env.CI === 'true' ? 1 : 0,
  // Only a test that hangs reaches this limit. On a busy machine, tests are slow but still pass.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    // Starting a new browser window takes longer than most tests, so the window is reused. Each test gets the window in its initial state:
    // one empty page, with nothing stored, routed, granted, emulated or scripted.
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
