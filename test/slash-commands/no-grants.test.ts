import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, message, say } from '../support/scripted-model.ts'
import { openFamily } from '../subagents/support/family.ts'

const written = (tools: string, made: string): string => `---\nallowed-tools: ${tools}\n---\nFirst: !\`touch ${made}\``

test('a command file of the project allows no call and runs no command of its own where there are no copies, also after it changed', async () => {
  const { app, folder, parent } = await openFamily(
    ({ round }) => (round === 0 ? message([call('shell', { command: 'touch by-the-agent' })]) : say('Done.')),
    {
      mode: 'ask',
      sandbox: 'off',
      watched: true,
      prepare(at) {
        mkdirSync(join(at.folder, '.claude/commands'), { recursive: true })
        writeFileSync(join(at.folder, '.claude/commands/go.md'), written('Bash(touch:*)', 'by-the-file'))
      },
    },
  )
  const made = (): readonly boolean[] => ['by-the-file', 'by-the-new-file', 'by-the-agent'].map((name) => existsSync(join(folder, name)))
  const said = await app.slashCommands.said(folder, { text: '/go' }, 'anthropic')
  expect(said.text).toContain('The command was not run')
  parent.running()?.submit(said)
  await expect.poll(() => parent.record.state().run).toBe('AWAITING_INPUT')
  writeFileSync(join(folder, '.claude/commands/go.md'), written('Bash', 'by-the-new-file'))
  expect((await app.slashCommands.said(folder, { text: '/go' }, 'anthropic')).text).toContain('The command was not run')
  expect(parent.record.state().run).toBe('AWAITING_INPUT')
  expect(made()).toEqual([false, false, false])
})
