import '../main/preflight.mjs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtWorkers } from './run/built-workers.ts'

// The tests run in several processes, and many tests start more. With a shared code cache, each process finds what another process has
// compiled.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/countersign/test-code', import.meta.url))

// Many tests check the modes of new files. The processes that run the tests inherit this.
process.umask(0o022)

/** `npm test` and `npm run check` run the fast test files, `npm run test:slow` the slow ones, `npm run unit` both. */
const SPEED = process.env['COUNTERSIGN_TESTS']

/**
 * Unit, integration and conformance tests: every `*.test.ts` and `*.test.tsx` under `test/`. Browser tests are `*.spec.ts` under `e2e/` and
 * run in Playwright. Tests that take too long for `npm test` are `*.slow.test.ts` (`npm run test:slow`) or `*.long.test.ts` (`npm run
 * test:long`). Random tests, `*.property.test.ts`, are part of both runs (`random-runs.ts`). Test files share a few processes, because
 * starting one for each file took a fifth of the time. Each test must therefore undo its changes to the process.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: 'node_modules/.cache/vitest',
  plugins: [builtWorkers],
  test: {
    include: [SPEED === 'slow' ? 'test/**/*.{slow,property}.test.ts' : 'test/**/*.test.{ts,tsx}'],
    exclude: ['test/**/*.long.test.ts', 'test/fixtures/**', ...(SPEED === 'fast' ? ['test/**/*.slow.test.ts'] : [])],
    environment: 'node',
    pool: 'forks',
    isolate: false,
    // Vitest's default leaves one core free. These tests often wait for processes and clocks, so two more workers than cores are started to
    // use that time.
    maxWorkers: availableParallelism() + 2,
    // Long enough for a busy machine. Only a test that hangs reaches the limit.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 5_000,
    // Only CI runs a failed test again. It lists the tests that then pass, and fails if there are more than three of them in a suite.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    // The default timeout of one second is too short if ten tests share two cores.
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    passWithNoTests: false,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
