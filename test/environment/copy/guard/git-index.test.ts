import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { indexOf } from '../../../../main/environment/copy/guard/git-index.ts'
import { plant, tempFolder } from '../../support.ts'

it('finds files in git’s index even if the paths do not fit into one command line', async () => {
  const folder = tempFolder()
  execFileSync('git', ['init', '-q'], { cwd: folder })
  plant(folder, { 'AGENTS.md': 'mine', 'src/AGENTS.md': 'mine too' })
  execFileSync('git', ['add', '.'], { cwd: folder })
  const deep = `${'a'.repeat(250)}/`.repeat(15)
  const others = Array.from({ length: 1_800 }, (_, index) => `${deep}${index}/AGENTS.md`)
  const index = await indexOf(folder, ['AGENTS.md', ...others, 'src'], 'own')
  expect([...index.keys()]).toEqual(['AGENTS.md', 'src/AGENTS.md'])
})

it('ignores a repository that a command creates in a folder of another repository', async () => {
  const above = tempFolder()
  plant(above, { 'project/AGENTS.md': 'signed', 'project/CLAUDE.md': 'planted' })
  const git = (cwd: string, ...args: readonly string[]): void => void execFileSync('git', args, { cwd })
  git(above, 'init', '-q')
  git(above, 'add', 'project/AGENTS.md')
  const folder = join(above, 'project')
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  expect([...(await indexOf(folder, ['AGENTS.md', 'CLAUDE.md'], 'above')).keys()]).toEqual(['AGENTS.md'])
  expect([...(await indexOf(folder, ['CLAUDE.md'], 'own')).keys()]).toEqual(['CLAUDE.md'])
})
