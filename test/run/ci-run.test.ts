import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../main/bootstrap/places.mjs'
import { asOtherUser } from '../store/support/other-user.ts'
import { tempFolder } from '../bootstrap/temp-folder.ts'

const isRoot = process.getuid?.() === 0

/**
 * Returns how `.ci/run` ends at a commit if this script takes the place of npm. If started as root, it runs as another user unless `stayRoot` is set.
 */
function ending(
  npm: string,
  stayRoot = false,
  { parts = '4', commits = 1 }: { readonly parts?: string; readonly commits?: number } = {},
): { readonly code: number | null; readonly last: string | undefined; readonly out: string } {
  const root = tempFolder({ '.ci/run': readFileSync(join(ROOT, '.ci', 'run'), 'utf8'), 'bin/npm': `#!/bin/sh\n${npm}\n` })
  chmodSync(root, 0o755)
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' })
  git('init', '-q')
  git('add', '.')
  for (let commit = 0; commit < commits; commit++) git('commit', '-q', '--allow-empty', '-m', 'all')
  const env = { ...process.env, COUNTERSIGN_CI_PARTS: parts, PATH: `${join(root, 'bin')}:${process.env.PATH}` }
  const drop = isRoot && !stayRoot ? (asOtherUser() ?? []) : []
  const { status, stdout } = spawnSync('/usr/bin/env', [...drop, 'bash', join(root, '.ci', 'run')], { env, input: '', encoding: 'utf8' })
  return { code: status, last: stdout.trimEnd().split('\n').at(-1), out: stdout }
}

/** Returns a script that stands in for npm: its slow tests run `slow`, and its other tests pass. */
const SLOW_ONLY = (slow: string): string => `case "$*" in *test:slow*) ${slow};; *) echo "All suites: 5 passed, 0 failed (3 s)";; esac`

// Windows may not have bash.
describe.skipIf(process.platform === 'win32')('.ci/run prints the total count last and fails if the tests fail', () => {
  test.each([
    ['green', 'echo "Tests 1 passed"; echo "All suites: 5 passed, 0 failed (3 s)"', 0, '25 passed, 0 failed'],
    ['with skipped tests', 'echo "All suites: 5 passed, 0 failed, 2 skipped (3 s)"', 0, '25 passed, 0 failed, 10 skipped'],
    ['red', 'echo "All suites: 5 passed, 2 failed (3 s)"; exit 1', 1, '25 passed, 10 failed'],
    ['only the slow tests fail', SLOW_ONLY('echo "All suites: 5 passed, 2 failed (3 s)"; exit 1'), 1, '25 passed, 8 failed'],
    ['stopped before the count', 'echo "no space left" >&2; exit 7', 7, '0 passed, 5 failed'],
    ['exit code 0 without a count', 'exit 0', 1, '0 passed, 5 failed'],
    ['exit code 9 after a count without failures', 'echo "All suites: 5 passed, 0 failed (3 s)"; exit 9', 9, '25 passed, 5 failed'],
    [
      'CI=true and the command names are passed on',
      '[ "$CI" = true ] && case "$*" in test|"run -s test:slow -- --shard="[1-4]/4) echo "All suites: 1 passed, 0 failed (0 s)";; esac',
      0,
      '5 passed, 0 failed',
    ],
  ])('%s', (_, npm, code, last) => {
    expect(ending(npm)).toMatchObject({ code, last })
  })

  test('runs another quarter of the slow tests at each commit', () => {
    const npm = 'case "$*" in *test:slow*) echo "ran $*";; esac; echo "All suites: 5 passed, 0 failed (3 s)"'
    const quarters = [1, 2, 3, 4].map((commits) => {
      const { code, last, out } = ending(npm, false, { parts: '1', commits })
      expect([code, last]).toEqual([0, '10 passed, 0 failed'])
      return [...out.matchAll(/^ran .*--shard=(\d\/4)$/gm)].map(([, part]) => part)
    })
    expect(quarters.map((ran) => ran.length)).toEqual([1, 1, 1, 1])
    expect(new Set(quarters.flat())).toHaveLength(4)
  })
})

// Only root can switch to another user.
describe.skipIf(!isRoot)('.ci/run started as root', () => {
  const whoRan = 'echo "$(id -u) $*, temp $(ls "${TMPDIR:-/tmp}" | grep -c somebody), home $([ -w "$HOME" ] && echo own)"'

  test('runs the root tests as root and the other suites as an ordinary user with a non-empty temp folder', () => {
    const npm = `${whoRan}; case "$*" in *test:root) n=2;; *) n=5;; esac; echo "All suites: $n passed, 0 failed, 1 skipped (3 s)"`
    const { code, last, out } = ending(npm, true)
    expect([code, last]).toEqual([0, '47 passed, 0 failed, 10 skipped'])
    expect(out).toMatch(/^0 run -s test:root,/m)
    expect(out).toMatch(/^65534 test, temp 2, home own$/m)
    for (const part of ['1/4', '2/4', '3/4', '4/4']) {
      expect(out).toContain(`\n0 run -s test:root-slow -- --shard=${part},`)
      expect(out).toContain(`\n65534 run -s test:slow -- --shard=${part}, temp 2, home own\n`)
    }
  })

  test.each([
    ['root', 'run -s test:root'],
    ['root', 'run -s test:root-slow -- --shard=2/4'],
    ['ordinary', 'test'],
    ['ordinary', 'run -s test:slow -- --shard=2/4'],
  ])('fails if the tests of the %s user fail (%s)', (_, which) => {
    const npm = `if [ "$*" = "${which}" ]; then echo "Failed: a > b"; echo "All suites: 4 passed, 1 failed (3 s)"; exit 3; fi; echo "All suites: 5 passed, 0 failed (3 s)"`
    const { code, out } = ending(npm, true)
    expect([code, out.trimEnd().split('\n').slice(-2)]).toEqual([3, ['Failed: a > b', '49 passed, 1 failed']])
  })
})
