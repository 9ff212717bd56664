import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shellLine } from '../../main/terminals/shell-line.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it.skipIf(process.platform === 'win32').each([
  ['no profile', {}, '[rc]'],
  ['a profile that does not read it', { '.profile': 'FROM=profile\n' }, '[profile]'],
  ['a profile that reads it', { '.bash_profile': '. ~/.bashrc\n' }, '[rc]'],
])('the user’s bash with %s starts as in other terminals', (_, files, shown) => {
  const home = temporaryFolder('shell')
  for (const [name, text] of Object.entries({ '.bashrc': 'FROM=rc\n', ...files })) writeFileSync(join(home, name), text)
  const { stdout } = spawnSync('/bin/sh', ['-c', shellLine('linux')], {
    input: 'echo "[$FROM]"\n',
    env: { PATH: process.env['PATH'], HOME: home, SHELL: '/bin/bash' },
    encoding: 'utf8',
  })
  expect(stdout).toContain(shown)
})
