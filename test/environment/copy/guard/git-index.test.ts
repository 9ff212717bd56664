import { execFileSync } from 'node:child_process'
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
  const index = await indexOf(folder, ['AGENTS.md', ...others, 'src'])
  expect([...index.keys()]).toEqual(['AGENTS.md', 'src/AGENTS.md'])
})
