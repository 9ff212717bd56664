import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { git, gitText } from './clone-git.ts'

/** The content of the folder when its clone was made. */
export const BASE_REF = 'refs/countersign/base'
/** The newest state of the clone that was fetched. */
export const WORK_REF = 'refs/countersign/work'
/** The newest commit that was made in the clone, if there is one. */
export const HEAD_REF = 'refs/countersign/head'

const snapshot = z.object({
  /** The top of the repository, or the folder itself if it is in none. */
  top: z.string(),
  /** The commit that is checked out. Null if there is none. */
  head: z.string().nullable(),
  branch: z.string().nullable(),
  /** The URL of the remote `origin`, without a password. Null if there is none. */
  origin: z.string().nullable(),
  /** The commit with the content of the folder, uncommitted changes included. */
  base: z.string(),
})

/** The state of a folder from which its clone was made. */
export type Snapshot = z.infer<typeof snapshot>

const repositoryIn = (kept: string): string => join(kept, 'repository')
/** The options that make git use the repository with the snapshot. */
export const inRepository = (kept: string): readonly string[] => ['--git-dir', repositoryIn(kept)]

/** The top of the repository that contains the folder. The folder itself if there is none. */
export async function topOf(folder: string): Promise<string> {
  return (await gitText(['rev-parse', '--show-toplevel'], { cwd: folder, mayFail: true })) || folder
}

/**
 * Records the content of a repository with all its uncommitted changes, without changing anything in it. Ignored files are left out.
 * `kept`: our folder for the record. Returns the earlier record if there is one.
 */
export async function takeSnapshot(folder: string, kept: string): Promise<Snapshot> {
  const known = await readSnapshot(kept)
  if (known !== null) return known
  const making = `${kept}.${randomUUID()}`
  await mkdir(making, { recursive: true, mode: 0o700 })
  try {
    const taken = await take(await topOf(folder), making)
    await writeFile(join(making, 'snapshot.json'), JSON.stringify(taken))
    await rm(kept, { recursive: true, force: true })
    await rename(making, kept)
    return taken
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** The record of an earlier snapshot. Null if there is none. */
export async function readSnapshot(kept: string): Promise<Snapshot | null> {
  const text = await readFile(join(kept, 'snapshot.json'), 'utf8').catch(() => null)
  return text === null ? null : (snapshot.safeParse(JSON.parse(text)).data ?? null)
}

async function take(top: string, making: string): Promise<Snapshot> {
  const isRepository = existsSync(join(top, '.git'))
  const repository = repositoryIn(making)
  // A local clone makes hard links to the objects, which take no space and stay even if the user's repository drops the objects.
  if (isRepository)
    await git(['clone', '--quiet', '--bare', '--local', '--single-branch', '--no-tags', '--', top, repository], { cwd: making })
  else await git(['init', '--quiet', '--bare', repository], { cwd: making })
  const asked = (...args: readonly string[]): Promise<string> =>
    isRepository ? gitText(args, { cwd: top, mayFail: true }) : Promise.resolve('')
  const head = await asked('rev-parse', '--quiet', '--verify', 'HEAD^{commit}')
  const branch = await asked('symbolic-ref', '--quiet', '--short', 'HEAD')
  const origin = withoutPassword(await asked('config', '--get', 'remote.origin.url'))
  const excluded = await asked('rev-parse', '--git-path', 'info/exclude')
  if (excluded !== '') await copyExcluded(resolve(top, excluded), repository)
  const run = { cwd: top, variables: { GIT_DIR: repository, GIT_WORK_TREE: top, GIT_INDEX_FILE: join(making, 'index') } }
  await git(['read-tree', head === '' ? '--empty' : head], run)
  await git(['add', '--all', '--', '.'], run)
  const tree = await gitText(['write-tree'], run)
  const parents = head === '' ? [] : ['-p', head]
  const base = await gitText(['commit-tree', tree, ...parents, '-m', 'The folder when the clone was made'], run)
  await git(['update-ref', BASE_REF, base], run)
  return { top, head: head || null, branch: branch || null, origin: origin || null, base }
}

/** Copies the repository's own list of ignored files (`info/exclude`). */
async function copyExcluded(file: string, repository: string): Promise<void> {
  const target = join(repository, 'info', 'exclude')
  await mkdir(dirname(target), { recursive: true })
  await copyFile(file, target).catch(() => {})
}

const withoutPassword = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/@]*@/u, '$1')
