import type { GitFileChange, GitFile, GitRepository } from '../../../shared/api/changes/git.ts'

/** Parses the output of `git status --porcelain=v2 --branch -z`. */
export function parseStatus(text: string): Omit<GitRepository, 'kind' | 'top'> {
  const heads = new Map<string, string>()
  const staged: GitFile[] = []
  const unstaged: GitFile[] = []
  const entries = text.split('\0')
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? ''
    if (entry.startsWith('# ')) {
      const [, name = '', ...value] = entry.split(' ')
      heads.set(name, value.join(' '))
    } else if (entry.startsWith('? ')) {
      unstaged.push({ path: entry.slice(2), from: null, change: 'untracked', modes: null })
    } else if (/^[12] /u.test(entry)) {
      // A renamed file is followed by an entry with its old name.
      const from = entry.startsWith('2 ') ? (entries[++at] ?? null) : null
      const file = readFile(entry, from)
      if (file.staged) staged.push(file.staged)
      if (file.unstaged) unstaged.push(file.unstaged)
    } else if (entry.startsWith('u ')) {
      unstaged.push({ path: entry.split(' ').slice(10).join(' '), from: null, change: 'conflicted', modes: null })
    }
  }
  const head = heads.get('branch.head') ?? null
  const [ahead, behind] = (heads.get('branch.ab') ?? '').split(' ')
  return {
    branch: head === '(detached)' ? null : head,
    upstream: heads.get('branch.upstream') ?? null,
    ahead: Math.abs(Number(ahead ?? 0)) || 0,
    behind: Math.abs(Number(behind ?? 0)) || 0,
    staged,
    unstaged,
  }
}

/**
 * Parses `1 XY sub mH mI mW hH hI path`, or `2` with a score before the path. X compares the index with the last commit, and Y compares
 * the folder with the index.
 */
function readFile(entry: string, from: string | null): { readonly staged: GitFile | null; readonly unstaged: GitFile | null } {
  const parts = entry.split(' ')
  const [, xy = '..', sub = 'N...', inHead = '', inIndex = '', inFolder = '', headHash, indexHash] = parts
  const path = parts.slice(from === null ? 8 : 9).join(' ')
  const [x = '.', y = '.'] = xy
  const isSubmodule = sub.startsWith('S')
  const modesOf = (before: string, after: string): GitFile['modes'] =>
    before !== after && before !== '000000' && after !== '000000' ? [before, after] : null
  const stagedModes = modesOf(inHead, inIndex)
  const staged = changeOf(x, isSubmodule, stagedModes !== null && headHash === indexHash)
  const unstaged = changeOf(y, isSubmodule, false)
  return {
    staged: staged && { path, from: x === 'R' || x === 'C' ? from : null, change: staged, modes: stagedModes },
    unstaged: unstaged && { path, from: y === 'R' || y === 'C' ? from : null, change: unstaged, modes: modesOf(inIndex, inFolder) },
  }
}

function changeOf(letter: string, isSubmodule: boolean, onlyMode: boolean): GitFileChange | null {
  if (letter === '.') return null
  if (isSubmodule) return 'submodule'
  if (onlyMode) return 'mode'
  switch (letter) {
    case 'A':
    case 'C':
      return 'added'
    case 'D':
      return 'deleted'
    case 'R':
      return 'renamed'
    default:
      return 'modified'
  }
}
