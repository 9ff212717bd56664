import type { Page } from 'playwright/test'
import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const row = (page: Page, name: RegExp) => page.getByRole('table').getByRole('row', { name })
const detail = (page: Page, name: string) => page.getByRole('region', { name }).first()

test('a subagent’s budget is reduced, a message steers it, and another subagent is stopped while the session continues', async ({
  page,
  put,
  opened,
}, info) => {
  await put('a.txt', 'one\n')
  const looked = gate()
  const never = gate()
  const rounds = new Map<string, number>()
  const read = (offset: number) => calls(call('read_file', { file_path: 'a.txt', offset }))
  const { scripted } = await opened(async ({ body }) => {
    const who = /CHILD-\w+/u.exec(JSON.stringify(body.messages[0]?.content))?.[0] ?? 'PARENT'
    const round = rounds.get(who) ?? 0
    rounds.set(who, round + 1)
    const usage = { input: 10_000, output: 0 }
    if (who === 'CHILD-STAY') {
      await never.opened
      return say('Never said.')
    }
    if (who === 'CHILD-LOOK') {
      if (round === 1) await looked.opened
      return { ...(round < 2 ? read(round + 1) : say('Looked at it in French.')), usage }
    }
    if (round > 0) return say('Both are over.')
    return calls(
      call('spawn_agent', { task: 'CHILD-LOOK Look around.', agent_type: 'explore', max_turns: 12, max_tokens: 40_000 }, 'p1'),
      call('task', { agent_type: 'plan', prompt: 'CHILD-STAY Think for long.', description: 'Think for long' }, 'p2'),
    )
  }, 'Look and think')

  await page.keyboard.press('Control+3')
  const look = row(page, /explore CHILD-LOOK/)
  const lease = async (what: string): Promise<string | null> =>
    look.getByRole('meter', { name: `${what} left` }).getAttribute('aria-valuetext')
  await expect.poll(() => lease('Turns')).toMatch(/^11 of 12/)
  await expect.poll(() => lease('Tokens')).toMatch(/^30k of 40k, 75\s%$/)
  await look.getByRole('button').press('Enter')
  const open = detail(page, 'explore agent')
  await expect(open).toContainText('started by step 1, reads only')
  await expect(open.getByRole('list', { name: /^Ledger/ })).toContainText('a.txt')
  await open.getByRole('button', { name: 'Message' }).click()
  await expect(open.getByLabel('Message to the explore agent')).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.type('Tell it in French')
  await keepPictures(page, info, 'message')
  await page.keyboard.press('Enter')
  await expect(open.getByLabel('Message to the explore agent')).toHaveCount(0)
  looked.open()
  await expect(open.getByRole('listitem').filter({ hasText: 'Tell it in French' })).toContainText('steered')
  await expect(open).toContainText('Looked at it in French.')
  await expect(row(page, /explore CHILD-LOOK.*done/)).toBeVisible()
  const heard = scripted.requests.filter(({ body }) => JSON.stringify(body.messages).includes('Tell it in French'))
  expect(heard.map(({ body }) => JSON.stringify(body.messages[0]?.content).includes('CHILD-LOOK'))).toEqual([true])

  await row(page, /plan Think for long/)
    .getByRole('button')
    .press('Enter')
  await detail(page, 'plan agent').getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(row(page, /plan Think for long.*stopped/)).toBeVisible()
  await expect(detail(page, 'plan agent').getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  await expect(ledger(page).first()).toContainText('Both are over.')
  await keepPictures(page, info, 'stopped')
})

test('a request names the subagent that made it, and one press stops all subagents and withdraws their requests', async ({
  page,
  opened,
}, info) => {
  const never = gate()
  await opened(async ({ body }) => {
    const words = JSON.stringify(body.messages)
    if (words.includes('CHILD-STAY') && !words.includes('PARENT')) {
      await never.opened
      return say('Never said.')
    }
    if (words.includes('CHILD-RUN') && !words.includes('PARENT')) return calls(call('shell', { command: '/bin/true' }, 'r1'))
    if (words.includes('"p1"')) return say('Nobody is left.')
    return calls(
      call('task', { agent_type: 'code', prompt: 'CHILD-RUN Run it.', description: 'Run the command' }, 'p1'),
      call('task', { agent_type: 'plan', prompt: 'CHILD-STAY Think.', description: 'Think for long' }, 'p2'),
    )
  }, 'PARENT sends two')
  const tray = page.locator('[data-tray=needs]')
  await expect(tray).toContainText('asked by the code agent')
  await page.keyboard.press('Control+3')
  await expect(row(page, /code Run the command waits for you/)).toBeVisible()
  await keepPictures(page, info, 'asked')
  await page.getByRole('button', { name: 'Stop all agents' }).click()
  await expect(row(page, /code Run the command.*stopped/)).toBeVisible()
  await expect(row(page, /plan Think for long.*stopped/)).toBeVisible()
  await expect(tray).toHaveCount(0)
  await expect(ledger(page).first()).toContainText('Nobody is left.')
})
