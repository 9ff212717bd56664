import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { EnvironmentFailure, explained } from '../../environment/environment-failure.ts'
import { quoted } from '../programs.ts'
import { git, gitText } from './clone-git.ts'
import { HEAD_REF, inRepository, WORK_REF } from './take-snapshot.ts'

/** Time limit in ms for receiving the changes. */
const LIMIT_MS = 30 * 60_000
/** Maximum size in bytes of the bundle that a place may send. */
const MAX_BYTES = 1024 ** 3

/** Where the work is fetched from. `top`: the top of the repository there. */
export interface WorkSource {
  readonly top: string
  /**
   * Runs a POSIX shell command there and streams its output to `onOutput`. Rejects with the signal's reason, and with `ETIMEDOUT` after the
   * limit.
   */
  run(
    line: string,
    options: { readonly limitMs: number; readonly signal: AbortSignal; readonly onOutput: (bytes: Buffer) => void },
  ): Promise<{ readonly exitCode: number | null; readonly stderr: string }>
}

/**
 * Fetches all files of a repository that git does not ignore, and its commits. The source is not trusted, so git checks every object that
 * it sends. `kept`: our folder with the snapshot. `base`: a commit that the source and `kept` have. Null if there is none. On failure,
 * rejects with a coded failure and keeps the state that was fetched before.
 */
export async function fetchWork(source: WorkSource, kept: string, base: string | null, signal?: AbortSignal): Promise<void> {
  const bundle = join(kept, `fetched-${randomUUID()}.bundle`)
  const file = createWriteStream(bundle, { mode: 0o600 })
  const stop = new AbortController()
  const written = finished(file)
  // A full disk ends the transfer. Without this listener, it would end the app.
  written.catch((error: unknown) => stop.abort(explained(error, 'write', bundle)))
  let bytes = 0
  try {
    const ran = await source.run(packLine(source.top, base), {
      limitMs: LIMIT_MS,
      signal: AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
      onOutput(piece) {
        bytes += piece.length
        if (bytes > MAX_BYTES) stop.abort(new EnvironmentFailure('EFBIG', 'The changes are larger than 1 GB (EFBIG).'))
        else file.write(piece)
      },
    })
    file.end()
    await written
    if (ran.exitCode !== 0) throw new EnvironmentFailure('ECLONE', `The changes could not be read (ECLONE). ${ran.stderr}`.trim())
    const sent = (await gitText([...inRepository(kept), 'bundle', 'list-heads', bundle])).split(/\s/u)
    const refs = [WORK_REF, ...(sent.includes(HEAD_REF) ? [HEAD_REF] : [])].map((ref) => `+${ref}:${ref}`)
    await git([...inRepository(kept), '-c', 'fetch.fsckObjects=true', 'fetch', '--quiet', '--no-tags', bundle, ...refs])
    if (!sent.includes(HEAD_REF)) await git([...inRepository(kept), 'update-ref', '-d', HEAD_REF], { mayFail: true })
  } finally {
    file.destroy()
    await rm(bundle, { force: true })
  }
}

/**
 * A shell script that prints a bundle: a commit of everything in the repository, on top of `base`, and the commits that were made there. It
 * leaves the index and the branches unchanged.
 */
function packLine(top: string, base: string | null): string {
  const isOld = base === null ? 'false' : `git merge-base --is-ancestor "$h" ${base}`
  return [
    'set -e',
    `cd ${quoted(top)}`,
    'i=$(mktemp)',
    `trap 'rm -f "$i"' EXIT`,
    'rm -f "$i"',
    `GIT_INDEX_FILE=$i git read-tree ${base ?? '--empty'}`,
    'GIT_INDEX_FILE=$i git add --all -- .',
    't=$(GIT_INDEX_FILE=$i git write-tree)',
    'export GIT_AUTHOR_NAME=Countersign GIT_AUTHOR_EMAIL=countersign@localhost',
    'export GIT_COMMITTER_NAME=Countersign GIT_COMMITTER_EMAIL=countersign@localhost',
    `w=$(git commit-tree "$t" ${base === null ? '' : `-p ${base} `}-m work)`,
    `git update-ref ${WORK_REF} "$w"`,
    `h=$(git rev-parse --quiet --verify 'HEAD^{commit}' || :)`,
    `if [ -z "$h" ] || ${isOld}; then h=; else git update-ref ${HEAD_REF} "$h"; h=${HEAD_REF}; fi`,
    `git bundle create --quiet - ${WORK_REF} $h ${base === null ? '' : `^${base}`}`,
  ].join('\n')
}
