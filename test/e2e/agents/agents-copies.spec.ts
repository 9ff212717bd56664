import { readFile } from 'node:fs/promises'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test('two subagents write at the same time, and each subagent’s changes are signed when that subagent ends', async ({
  page,
  put,
  opened,
}, info) => {
  const a = await put('src/a.ts', 'export const a = 1\n')
  const b = await put('src/b.ts', 'export const b = 1\n')
  const rounds = new Map<string, number>()
  await opened(({ body }) => {
    const who = /CHILD-\w+/u.exec(JSON.stringify(body.messages[0]?.content))?.[0] ?? 'PARENT'
    const round = rounds.get(who) ?? 0
    rounds.set(who, round + 1)
    const name = who === 'CHILD-A' ? 'a' : 'b'
    if (who !== 'PARENT' && round > 0) return say(`Changed ${name}.`)
    if (who !== 'PARENT')
      return calls(call('edit_file', { file_path: `src/${name}.ts`, old_string: `${name} = 1`, new_string: `${name} = 2` }, `e${name}`))
    if (round > 0) return say('Both are done.')
    return calls(
      call('task', { agent_type: 'code', prompt: 'CHILD-A Change a.', description: 'Change a' }, 'p1'),
      call('task', { agent_type: 'code', prompt: 'CHILD-B Change b.', description: 'Change b' }, 'p2'),
    )
  }, 'Change both')

  await expect(tray(page)).toContainText('Sign what the code agent changed')
  await expect(tray(page)).toContainText('“Change a”')
  await expect(tray(page)).toContainText('src/a.ts')
  await expect(tray(page)).toContainText('Show changes of 2 subagents together')
  await expect(page.getByRole('button', { name: 'Run for real instead' })).toHaveCount(0)
  expect([await readFile(a, 'utf8'), await readFile(b, 'utf8')]).toEqual(['export const a = 1\n', 'export const b = 1\n'])
  await keepPictures(page, info, 'agents-copies')
  expect(await axeFindings(page)).toEqual([])
  await sign(page)
  await expect(tray(page)).toContainText('src/b.ts')
  await sign(page)
  await expect(ledger(page).getByText('Both are done.')).toBeVisible()
  expect([await readFile(a, 'utf8'), await readFile(b, 'utf8')]).toEqual(['export const a = 2\n', 'export const b = 2\n'])
})
