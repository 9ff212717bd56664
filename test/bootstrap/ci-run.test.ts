import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { ROOT } from '../../main/bootstrap/places.mjs'
import { tempFolder } from './temp-folder.ts'

/** How `.ci/run` ends where `npm test` says and does this. */
function ending(npmTest: string): readonly [number | null, string | undefined] {
  const root = tempFolder({ '.ci/run': readFileSync(join(ROOT, '.ci', 'run'), 'utf8'), 'bin/npm': `#!/bin/sh\n${npmTest}\n` })
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` }
  const { status, stdout } = spawnSync('bash', [join(root, '.ci', 'run')], { env, input: '', encoding: 'utf8' })
  return [status, stdout.trimEnd().split('\n').at(-1)]
}

describe.skipIf(process.platform === 'win32')('.ci/run ends with the count over all suites and the code of the tests', () => {
  test.each([
    ['green', 'echo "Tests 1 passed"; echo "All suites: 5 passed, 0 failed (3 s)"', 0, '5 passed, 0 failed'],
    ['with skipped tests', 'echo "All suites: 5 passed, 0 failed, 2 skipped (3 s)"', 0, '5 passed, 0 failed, 2 skipped'],
    ['red', 'echo "All suites: 5 passed, 2 failed (3 s)"; exit 1', 1, '5 passed, 2 failed'],
    ['ended before it could count', 'echo "no space left" >&2; exit 7', 7, '0 passed, 1 failed'],
    ['ended well without a count', 'exit 0', 1, '0 passed, 1 failed'],
    ['ended badly after a count without failures', 'echo "All suites: 5 passed, 0 failed (3 s)"; exit 9', 9, '5 passed, 1 failed'],
    [
      'told that it is CI and which command it is',
      '[ "$CI" = true ] && [ "$1" = test ] && echo "All suites: 1 passed, 0 failed (0 s)"',
      0,
      '1 passed, 0 failed',
    ],
  ])('%s', (_, npmTest, code, last) => {
    expect(ending(npmTest)).toEqual([code, last])
  })
})
