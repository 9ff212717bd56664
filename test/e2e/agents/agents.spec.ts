import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, ledger, tray } from '../support/on-the-desk.ts'
import { willBeShown } from '../support/will-be-shown.ts'
import { keepPictures } from '../support/pictures.ts'

// With a sandbox, a subagent that writes works in its own copy, which agents-copies.spec.ts tests.
test.use({ sandbox: 'off' })

const EDIT = { file_path: 'src/a.ts', old_string: 'a = 1', new_string: 'a = 2' }

test(
  'a subagent’s edit is signed in the tray of its parent session, and the tray names the subagent',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    const file = await put('src/a.ts', 'export const a = 1\n')
    const signed = gate()
    const rounds = new Map<string, number>()
    await opened(async ({ body }) => {
      const who = /CHILD-\w+/u.exec(JSON.stringify(body.messages[0]?.content))?.[0] ?? 'PARENT'
      const round = rounds.get(who) ?? 0
      rounds.set(who, round + 1)
      if (who === 'CHILD-LOOK') {
        await signed.opened
        return say('Nothing odd.')
      }
      if (who === 'CHILD-EDIT') return round === 0 ? calls(call('edit_file', EDIT, 'e1')) : say('Changed it.')
      if (round > 0) return say('Both are done.')
      return calls(
        call('spawn_agent', { task: 'CHILD-LOOK Look around.', agent_type: 'explore', max_turns: 12, max_tokens: 40_000 }, 'p1'),
        call('task', { agent_type: 'code', prompt: 'CHILD-EDIT Change a.', description: 'Change the constant' }, 'p2'),
      )
    }, 'Change the constant')

    await expect(tray(page)).toContainText('asked by the code agent')
    const sessions = page.getByRole('navigation', { name: 'Sessions' })
    await expect(
      sessions.getByRole('button', { name: /code agent: CHILD-EDIT Change a.*A change to 1 file, for Change the constant/ }),
    ).toBeVisible()
    await expect(sessions.getByRole('button', { name: /explore/ })).toHaveCount(0)
    await expect(ledger(page)).toContainText('Start a code agentChange the constant')

    await page.keyboard.press('Control+3')
    const tree = page.getByRole('table')
    await expect(tree.getByRole('row', { name: /code Change the constant waits for you: Edit src\/a\.ts/ })).toBeVisible()
    await expect(tree.getByRole('row', { name: /explore CHILD-LOOK/ }).getByRole('meter', { name: 'Turns left' })).toHaveAttribute(
      'aria-valuetext',
      /^12 of 12/,
    )
    await tree
      .getByRole('row', { name: /explore/ })
      .getByRole('button')
      .press('Enter')
    await expect(page.getByRole('region', { name: 'explore agent' }).first()).toContainText('started by step 1, reads only')
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'agents')

    await armed(page).waitFor()
    await page.keyboard.press('Control+j')
    const signature = await willBeShown(page, '^Signed \\d\\d:\\d\\d:\\d\\d$')
    await page.keyboard.press('Control+Enter')
    await signature()
    await expect.poll(() => readFile(join(file), 'utf8')).toBe('export const a = 2\n')
    signed.open()
    await expect(tree.getByRole('row', { name: /code Change the constant done/ })).toBeVisible()

    await page.getByRole('button', { name: 'Open session' }).click()
    await expect(page.getByRole('main')).toContainText('Nothing odd.')
    await page.getByRole('button', { name: 'Back to Change the constant' }).click()
    await expect(page.getByRole('main')).toContainText('Both are done.')

    await page.keyboard.press('Control+Shift+y')
    const then = page.getByRole('complementary', { name: 'As it was then' })
    await then.getByRole('radio', { name: 'Agents' }).check()
    await expect(then).toContainText('At this point in the session, no agent had been started yet.')
    await page.getByRole('slider', { name: 'Moment of the session' }).focus()
    await page.keyboard.press('End')
    await expect(then.getByRole('row', { name: /code Change the constant done/ })).toBeVisible()
    await keepPictures(page, info, 'replay-agents')
    expect(await axeFindings(page)).toEqual([])
  },
)
