import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Names by which test files that behave differently as root are recognized. Such tests switch to another user, give files away or mount a
 * small disk.
 */
const NEEDS_ROOT = /\b(?:getuid|geteuid|asNobody|asOtherUser|smallDisk)\b/

/** `npm run test:root` runs the fast ones, `npm run test:root-slow` the slow ones. */
const SPEED = process.env['COUNTERSIGN_TESTS']
const isOfSpeed = (path: string): boolean => SPEED !== (path.endsWith('.slow.test.ts') ? 'fast' : 'slow')

/** The tests that are skipped for an ordinary user or that behave differently as root. They must be run as root. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: globSync('test/**/*.test.ts', { cwd: ROOT }).filter(
      (path) => isOfSpeed(path) && NEEDS_ROOT.test(readFileSync(join(ROOT, path), 'utf8')),
    ),
    exclude: ['test/**/*.long.test.ts', 'test/fixtures/**'],
  },
})
