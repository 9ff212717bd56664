import '../main/preflight.mjs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// A file has its own process, and many files start more: what one of them has compiled all others find.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/countersign/test-code', import.meta.url))

/** `npm test` and `npm run check` run the fast files, `npm run test:slow` the slow ones, `npm run unit` both. */
const SPEED = process.env['COUNTERSIGN_TESTS']

/**
 * Unit, integration and conformance tests: every `*.test.ts` and `*.test.tsx` under `test/`. Runs in the browser are
 * `*.spec.ts` under `e2e/` (Playwright's), and what does not fit `npm test` is `*.slow.test.ts` (`npm run test:slow`) or `*.long.test.ts`
 * (`npm run test:long`).
 * Files share a few processes, because starting one for each file took a fifth of the time: a test undoes what it changes in its process.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    include: [SPEED === 'slow' ? 'test/**/*.slow.test.ts' : 'test/**/*.test.{ts,tsx}'],
    exclude: ['test/**/*.long.test.ts', 'test/fixtures/**', ...(SPEED === 'fast' ? ['test/**/*.slow.test.ts'] : [])],
    environment: 'node',
    pool: 'forks',
    isolate: false,
    // vitest leaves a core free; here tests wait for processes and clocks, and two more than cores use what they leave
    maxWorkers: availableParallelism() + 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 5_000,
    // a second, as it would be, is short where ten tests share two cores
    expect: { poll: { timeout: 20_000 } },
    allowOnly: false,
    passWithNoTests: false,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
