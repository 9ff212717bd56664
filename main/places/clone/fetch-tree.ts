import { join } from 'node:path'
import { git, gitText } from './clone-git.ts'
import { HEAD_REF, inRepository, WORK_REF } from './take-snapshot.ts'

/**
 * As `fetchWork`, for a repository on this computer that may not run programs: `tree` may contain anything, and no setting, filter or hook of
 * its repository is used.
 */
export async function fetchTree(tree: string, kept: string, base: string | null): Promise<void> {
  const [, repository = ''] = inRepository(kept)
  const variables = { GIT_DIR: repository, GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(kept, 'work-index') }
  const run = { cwd: tree, variables }
  await git(['read-tree', base ?? '--empty'], run)
  await git(['add', '--all', '--', '.'], run)
  const parents = base === null ? [] : ['-p', base]
  const work = await gitText(['commit-tree', await gitText(['write-tree'], run), ...parents, '-m', 'work'], run)
  await git(['update-ref', WORK_REF, work], run)
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
  // Serving a fetch is the one thing that git promises to do safely in a repository that somebody else has made.
  await git([...inRepository(kept), '-c', 'fetch.fsckObjects=true', 'fetch', ...options, '--', tree, `+HEAD:${HEAD_REF}`], {
    variables: { GIT_NO_LAZY_FETCH: '1' },
    mayFail: true,
  })
  if (base === null) return
  const old = await git([...inRepository(kept), 'merge-base', '--is-ancestor', HEAD_REF, base], { mayFail: true })
  if (old.failure === null) await git([...inRepository(kept), 'update-ref', '-d', HEAD_REF])
}
