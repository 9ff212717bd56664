import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { composer, ledger, openSession, sign } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

const write = (path: string) => calls(call('write_file', { file_path: path, content: 'x\n' }))

async function choose(page: Page, message: string, entry: RegExp): Promise<void> {
  const row = ledger(page).getByRole('listitem').filter({ hasText: message }).first()
  await row.hover()
  await row.getByRole('button', { name: 'From this message' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('an edited message is sent in a fork, the source is unchanged, and the source and all its forks link to each other', async ({
  page,
  opened,
}, info) => {
  const { scripted } = await opened([say('One answer.'), say('Two answers.'), say('Another answer.')], 'First request')
  await expect(ledger(page)).toContainText('One answer.')
  await send(page, 'Second request')
  await expect(ledger(page)).toContainText('Two answers.')
  await choose(page, 'Second request', /Edit and send again/)
  await expect(composer(page)).toHaveValue('Second request')
  await expect(ledger(page)).not.toContainText('Two answers.')
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('A better request')
  await page.keyboard.press('Enter')
  await expect(ledger(page)).toContainText('Another answer.')
  const sent = JSON.stringify(scripted.requests.at(-1)?.body.messages)
  expect(sent).toMatch(/First request.*One answer.*A better request/u)
  expect(sent).not.toContain('Second request')
  await keepScreens(page, info, 'fork')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Fork of First request', exact: true }).click()
  await expect(ledger(page)).toContainText('Two answers.')
  await expect(ledger(page)).not.toContainText('Another answer.')
  await page.getByRole('button', { name: '1 fork', exact: true }).click()
  await page.getByRole('menuitem').nth(1).click()
  await expect(ledger(page)).toContainText('Another answer.')
  await choose(page, 'A better request', /^Fork/)
  await expect(ledger(page)).not.toContainText('Another answer.')
  await keepScreens(page, info, 'fork-of-fork')
  await page.getByRole('button', { name: 'All forks', exact: true }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(3)
  await page.getByRole('menuitem').first().click()
  await expect(ledger(page)).toContainText('Two answers.')
})

test(
  'the conversation and its files go back to the point before a message, and can be restored',
  { tag: '@slow' },
  async ({ page, opened, places: { project } }, info) => {
    const { scripted } = await opened([write('a.txt'), say('Wrote one.'), write('b.txt'), say('Wrote two.'), say('Last.')], 'Write a')
    await sign(page, 'a.txt')
    await expect(ledger(page)).toContainText('Wrote one.')
    await send(page, 'Write b')
    await sign(page, 'b.txt')
    await expect(ledger(page)).toContainText('Wrote two.')
    await choose(page, 'Write b', /Go back .*conversation only/)
    await expect(ledger(page)).toContainText('Moved the conversation to another point')
    await expect(ledger(page).getByText('No longer part of the conversation.').first()).toBeAttached()
    await keepScreens(page, info, 'went-back')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo this move' }).click()
    await expect(ledger(page).getByText('Moved the conversation to another point')).toHaveCount(2)

    await choose(page, 'Write b', /Go back .*files too/)
    await expect(page.getByLabel('The conversation too').filter({ visible: true })).toBeChecked()
    await expect(page.getByRole('region', { name: 'Deleted', exact: true })).toContainText('b.txt')
    await keepScreens(page, info, 'undo-both')
    await page.getByRole('button', { name: 'Go back to step 1' }).click()
    await expect(page.getByText('Went back to step 1')).toBeVisible()
    expect([existsSync(join(project, 'a.txt')), existsSync(join(project, 'b.txt'))]).toEqual([true, false])
    await send(page, 'And now?')
    await expect(ledger(page)).toContainText('Last.')
    const asked = JSON.stringify(scripted.requests.at(-1)?.body.messages)
    expect(asked).toMatch(/Write a.*Wrote one.*And now/u)
    expect(asked).not.toMatch(/Write b|b\.txt/u)
    await openSession(page, /Write a/)
  },
)

test('a fork from an answer has the conversation up to that answer', { tag: '@slow' }, async ({ page, opened }) => {
  const { scripted } = await opened([say('One answer.'), say('Two answers.'), say('Forked.')], 'First request')
  await expect(ledger(page)).toContainText('One answer.')
  await send(page, 'Second request')
  await expect(ledger(page)).toContainText('Two answers.')
  await ledger(page).getByText('One answer.').hover()
  await page.getByRole('button', { name: 'From this answer' }).first().click()
  await page.getByRole('menuitem', { name: 'Fork from here' }).click()
  await expect(ledger(page)).not.toContainText('Two answers.')
  await send(page, 'And now?')
  await expect(ledger(page)).toContainText('Forked.')
  expect(JSON.stringify(scripted.requests.at(-1)?.body.messages)).toMatch(/First request.*One answer.*And now/u)
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('Fork of First request')
})
