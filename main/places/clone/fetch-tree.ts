import { join } from 'node:path'
import { statsAt } from '../../environment/copy/changes/folder-entries.ts'
import { git, gitText } from './clone-git.ts'
import { HEAD_REF, inRepository, WORK_REF } from './take-snapshot.ts'

/**
 * Like `fetchWork`, for an untrusted repository on this computer. None of its settings, filters or hooks are used. A changed submodule is left
 * out, because git would look into it with the settings of that repository, which may name programs.
 */
export async function fetchTree(tree: string, kept: string, base: string | null): Promise<void> {
  const [, repository = ''] = inRepository(kept)
  const variables = { GIT_DIR: repository, GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(kept, 'work-index') }
  const run = { cwd: tree, variables }
  await git(['read-tree', base ?? '--empty'], run)
  const { stdout } = await git(['ls-files', '--stage', '-z'], run)
  const modules = stdout
    .toString('utf8')
    .split('\0')
    .filter((line) => line.startsWith(SUBMODULE))
  const paths = modules.map((line) => line.slice(line.indexOf('\t') + 1))
  if (paths.length > 0) await git(['update-index', '-z', '--assume-unchanged', '--stdin'], { ...run, input: paths.join('\0') })
  await git(['add', '--all', '--', '.'], run)
  const parents = base === null ? [] : ['-p', base]
  const work = await gitText(['commit-tree', await gitText(['write-tree'], run), ...parents, '-m', 'work'], run)
  await git(['update-ref', WORK_REF, work], run)
  await fetchCommits(tree, kept, base)
}

/** The mode of submodules in an index. */
const SUBMODULE = '160000 '

async function fetchCommits(tree: string, kept: string, base: string | null): Promise<void> {
  // Serving a fetch is the only operation that git documents as safe in an untrusted repository.
  const variables = { GIT_NO_LAZY_FETCH: '1' }
  const ours = inRepository(kept)
  if ((await statsAt(join(tree, '.git'))) === null) return
  // Nothing is committed there yet.
  if ((await gitText([...ours, 'ls-remote', '--', tree, 'HEAD'], { variables })) === '') return
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
  await git([...ours, '-c', 'fetch.fsckObjects=true', 'fetch', ...options, '--', tree, `+HEAD:${HEAD_REF}`], { variables })
  if (base === null) return
  const old = await git([...ours, 'merge-base', '--is-ancestor', HEAD_REF, base], { mayFail: true })
  if (old.failure === null) await git([...ours, 'update-ref', '-d', HEAD_REF])
}
