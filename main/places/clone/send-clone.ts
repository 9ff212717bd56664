import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../../../shared/places/address.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { quoted, NO_SSH } from '../programs.ts'
import { runRemote } from '../run-remote.ts'
import { fetchedHead, fetchedWork } from './changed-files.ts'
import { git } from './clone-git.ts'
import type { WorkSource } from './fetch-work.ts'
import { BASE_REF, HEAD_REF, inRepository, type Snapshot, WORK_REF } from './take-snapshot.ts'

/** Time limit in ms for sending a repository. */
const LIMIT_MS = 30 * 60_000
/** The exit code of the first command if the place has no git. */
const NO_GIT = 9

/** A clone of a folder on this computer. */
export interface Clone {
  readonly place: Place
  /** The path of the clone at the place. */
  readonly top: string
  /** Our folder with the snapshot. */
  readonly kept: string
}

/** Lets `fetchWork` fetch what was done in a clone. */
export const sourceIn = ({ place, top }: Clone): WorkSource => ({ top, run: (line, options) => runRemote(place, line, NO_SSH, options) })

/**
 * Makes the clone at a place, unless it exists: the repository at its commit, or at the newest fetched commit of an earlier clone, with the
 * uncommitted changes of the newest fetched state, or of the snapshot if nothing was fetched. Rejects with a coded failure.
 */
export async function sendClone({ place, top, kept }: Clone, snapshot: Snapshot, signal?: AbortSignal): Promise<void> {
  const look = `command -v git >/dev/null 2>&1 || exit ${NO_GIT}; [ -e ${quoted(`${top}/.git`)} ]`
  const found = await runRemote(place, look, NO_SSH, { signal })
  if (found.exitCode === 0) return
  if (found.exitCode === NO_GIT) throw new EnvironmentFailure('ENOGIT', WITHOUT_GIT)
  const bundle = join(kept, `sent-${randomUUID()}.bundle`)
  const [work, own] = await Promise.all([fetchedWork(kept), fetchedHead(kept)])
  const fetched = [...(work === null ? [] : [WORK_REF]), ...(own === null ? [] : [HEAD_REF])]
  await git([...inRepository(kept), 'bundle', 'create', '--quiet', bundle, BASE_REF, ...fetched])
  try {
    const line = unpackLine(top, { ...snapshot, head: own ?? snapshot.head }, work ?? snapshot.base)
    const sent = await runRemote(place, line, NO_SSH, { input: createReadStream(bundle), signal, limitMs: LIMIT_MS })
    if (sent.exitCode !== 0)
      throw new EnvironmentFailure('ECLONE', `The folder could not be cloned to the place (ECLONE). ${sent.stderr}`.trim())
  } finally {
    await rm(bundle, { force: true })
  }
}

const WITHOUT_GIT = 'The image has no git, so the folder cannot be cloned (ENOGIT). Use an image with git, bash and tar.'

/** A shell script that unpacks a bundle from standard input beside `top` and renames the result, so that a partial clone is never used. */
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
