import { execFileSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A `gh` that logs its arguments and answers from the files beside it. The file `open` has the arguments of `pr create`. */
const GH = String.raw`#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> log
case "$1 $2" in
  "--version ") echo "gh version 2.0.0" ;;
  "pr view")
    test -f open || { echo 'no pull requests found for branch "main"' >&2; exit 1; }
    cat view.json ;;
  "pr create") shift 2; echo "$*" > open ;;
  "run view") cat log.txt ;;
  api\ *) cat comments.json ;;
esac
`

/** What the fake `gh` answers once the pull request is open. */
export interface FakePullRequest {
  /** The answer to `gh pr view`. */
  readonly view: object
  /** The comments of reviewers. Default: none. */
  readonly comments?: readonly object[]
  /** The log of failed checks. Default: empty. */
  readonly log?: string
}

/** Writes a program `gh` into the folder `bin`, which is created. */
export async function writeFakeGh(bin: string, { view, comments = [], log = '' }: FakePullRequest): Promise<void> {
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'gh'), GH)
  await chmod(join(bin, 'gh'), 0o755)
  await writeFile(join(bin, 'view.json'), JSON.stringify(view))
  await writeFile(join(bin, 'comments.json'), JSON.stringify(comments))
  await writeFile(join(bin, 'log.txt'), log)
}

/** Commits what is in the folder, on the branch `main`, with a bare repository at `remote` as `origin`. Returns git in the folder. */
export function commitWithRemote(folder: string, remote: string): (...args: readonly string[]) => string {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  git('init', '--quiet', '--bare', remote)
  for (const [name, value] of Object.entries({ 'user.name': 'Test', 'user.email': 'test@example.com', 'commit.gpgsign': 'false' }))
    git('config', name, value)
  git('remote', 'add', 'origin', remote)
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
  return git
}
