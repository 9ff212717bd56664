import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { shellLine } from '../../main/terminals/shell-line.ts'

it.skipIf(process.platform === 'win32').each([
  ['no profile', {}, '[rc]'],
  ['a profile that does not read it', { '.profile': 'FROM=profile\n' }, '[profile]'],
  ['a profile that reads it', { '.bash_profile': '. ~/.bashrc\n' }, '[rc]'],
])('the user’s bash with %s starts as in other terminals', (_, files, shown) => {
  const home = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  for (const [name, text] of Object.entries({ '.bashrc': 'FROM=rc\n', ...files })) writeFileSync(join(home, name), text)
  const { stdout } = spawnSync('/bin/sh', ['-c', shellLine('linux')], {
    input: 'echo "[$FROM]"\n',
    env: { PATH: process.env['PATH'], HOME: home, SHELL: '/bin/bash' },
    encoding: 'utf8',
  })
  expect(stdout).toContain(shown)
})
