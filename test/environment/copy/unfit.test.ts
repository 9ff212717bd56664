import { expect, it } from 'vitest'
import { unfitFor } from '../../../main/environment/copy/unfit.ts'

const result = {
  stdout: '',
  stderr: '',
  exitCode: 1,
  signal: null,
  timedOut: false,
  aborted: false,
  durationMs: 1,
  bytes: 0,
  complete: true,
}

it.each([
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?', 'Docker socket'],
  ['error: gpg failed to sign the data', 'signs with a key'],
  ['git@example.org: Permission denied (publickey).', 'SSH keys'],
  ["Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'", 'renames a folder'],
  ["fatal: Unable to create '/r/.git/worktrees/w/index.lock': Read-only file system", 'git'],
  ['cp: cannot stat: Value too large for defined data type', 'another user'],
])('%s is a failure caused by the copy', (stderr, words) => {
  expect(unfitFor({ ...result, stderr })).toContain(words)
})

it('another error message, a success and a stopped command are not', () => {
  const stderr = 'Cannot connect to the Docker daemon'
  expect(unfitFor({ ...result, stderr: 'Error: expected 2, got 3' })).toBeNull()
  expect(unfitFor({ ...result, stderr, exitCode: 0 })).toBeNull()
  expect(unfitFor({ ...result, stderr, timedOut: true, exitCode: null })).toBeNull()
})
