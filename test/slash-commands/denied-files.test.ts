import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { openFamily } from '../subagents/support/family.ts'
import { say } from '../support/scripted-model.ts'

const TEXT = 'File: @secret/key\nOther: @plain\nShown: !`cat sec*/key`\nStored: !`git show HEAD:secret/key`\nRead: !`cat plain`'

test('a command file of the project includes no file that a rule denies, and says which rule', async () => {
  const { app, folder } = await openFamily(() => say('Done.'), {
    prepare(at) {
      for (const name of ['.claude/commands', 'secret']) mkdirSync(join(at.folder, name), { recursive: true })
      writeFileSync(join(at.folder, '.claude/commands/go.md'), TEXT)
      writeFileSync(join(at.folder, 'secret/key'), 'TOP-SECRET')
      writeFileSync(join(at.folder, 'plain'), 'HELLO')
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...args], { cwd: at.folder })
      git('init', '-q')
      git('add', '.')
      git('commit', '-qm', 'first')
    },
  })
  const pattern = 'secret/**'
  app.rules.add([{ answer: 'deny', when: { kind: 'path', pattern }, where: { kind: 'project', folder } }], 'you')
  const { text } = await app.slashCommands.said(folder, { text: '/go' }, 'anthropic')
  expect(text).not.toContain('TOP-SECRET')
  expect(text).toMatch(/\[secret\/key is not included: A rule denies reading .*secret\/key/u)
  expect(text).toContain('<file path="plain">\nHELLO')
  if (!hasNoCopies) expect(text).toMatch(/Read: HELLO/u)
  expect(text).toContain('The rule path secret/** denies this command.')
})
