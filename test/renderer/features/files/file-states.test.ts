import { expect, test } from 'vitest'
import { statesOf } from '../../../../renderer/features/files/use-file-states.ts'
import type { GitRepository } from '../../../../shared/api/changes/git.ts'

const repository = (top: string): GitRepository => ({
  kind: 'repository',
  top,
  branch: 'main',
  upstream: null,
  ahead: 0,
  behind: 0,
  staged: [],
  unstaged: [{ path: 'shop/src/a.ts', from: null, change: 'modified', modes: null }],
})

test.each([
  ['this computer', '/srv/code/shop', '/srv/code'],
  ['another machine', 'ssh://box/srv/code/shop', '/srv/code'],
  ['a container', 'container:dev/srv/code/shop', '/srv/code'],
  ['Windows', 'C:\\code\\shop', 'C:/code'],
])('git’s states are found for a session in a subfolder of a repository: %s', (_, address, top) => {
  expect([...statesOf(repository(top), address)]).toEqual([
    ['src/a.ts', 'modified'],
    ['src', 'modified'],
  ])
})
