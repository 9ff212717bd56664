import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../../../shared/places/address.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { quoted, NO_SSH } from '../programs.ts'
import { runRemote } from '../run-remote.ts'
import { git, gitText } from './clone-git.ts'
import { BASE_REF, inRepository, type Snapshot, WORK_REF } from './take-snapshot.ts'

/** Time limit in ms for sending a repository. */
const LIMIT_MS = 30 * 60_000
const NO_GIT = 9

/** A clone of a folder of this computer. */
export interface Clone {
  readonly place: Place
  /** The path of the clone at the place. */
  readonly top: string
  /** The folder of ours with the snapshot. */
  readonly kept: string
}

/**
 * Makes the clone at a place, unless it is there: the repository at its commit, with the uncommitted changes of the snapshot, or of the
 * newest state that was fetched. Rejects with a coded failure.
 */
export async function sendClone({ place, top, kept }: Clone, snapshot: Snapshot, signal?: AbortSignal): Promise<void> {
  const look = `command -v git >/dev/null 2>&1 || exit ${NO_GIT}; [ -e ${quoted(`${top}/.git`)} ]`
  const there = await runRemote(place, look, NO_SSH, { signal })
  if (there.exitCode === 0) return
  if (there.exitCode === NO_GIT) throw new EnvironmentFailure('ENOGIT', NO_GIT_THERE)
  const bundle = join(kept, 'sent.bundle')
  const work = await gitText([...inRepository(kept), 'rev-parse', '--quiet', '--verify', WORK_REF], { mayFail: true })
  await git([...inRepository(kept), 'bundle', 'create', '--quiet', bundle, BASE_REF, ...(work === '' ? [] : [WORK_REF])])
  try {
    const line = unpackLine(top, snapshot, work || snapshot.base)
    const sent = await runRemote(place, line, NO_SSH, { input: createReadStream(bundle), signal, limitMs: LIMIT_MS })
    if (sent.exitCode !== 0) throw new EnvironmentFailure('ECLONE', `The folder could not be cloned there (ECLONE). ${sent.stderr}`.trim())
  } finally {
    await rm(bundle, { force: true })
  }
}

const NO_GIT_THERE = 'Its image has no git, which clones the folder there (ENOGIT). Use an image with git, bash and tar.'

/** Unpacks a bundle from the standard input beside `top` and renames it, so that a partial clone is never used. */
function unpackLine(top: string, { head, branch, origin }: Snapshot, shown: string): string {
  const checkedOut = branch === null ? null : quoted(`refs/heads/${branch}`)
  const toHead = [
    ...(checkedOut === null
      ? [`git update-ref --no-deref HEAD ${head}`]
      : [`git update-ref ${checkedOut} ${head}`, `git symbolic-ref HEAD ${checkedOut}`]),
    'git reset -q --mixed',
  ]
  return [
    'set -e',
    `t=${quoted(top)}.$$`,
    'mkdir -p "$t"',
    `trap 'rm -rf "$t"' EXIT`,
    'cat > "$t/bundle"',
    'git init -q "$t/work"',
    'cd "$t/work"',
    `git fetch -q --no-tags "$t/bundle" '+refs/countersign/*:refs/countersign/*'`,
    `git checkout -q --force --detach ${shown}`,
    ...(head === null ? ['git symbolic-ref HEAD refs/heads/main', 'git read-tree --empty'] : toHead),
    ...(origin === null ? [] : [`git remote add origin ${quoted(origin)}`]),
    'cd /',
    `rmdir ${quoted(top)} 2>/dev/null || :`,
    `mv "$t/work" ${quoted(top)}`,
  ].join('\n')
}
