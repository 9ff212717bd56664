import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests that take too long for `npm test`: `*.long.test.ts`, run by `npm run test:long`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/**/*.long.test.ts'],
    exclude: ['test/fixtures/**'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    passWithNoTests: true,
  },
})
