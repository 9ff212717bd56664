import type { Page } from 'playwright/test'
import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, send, test } from '../support/desk-test.ts'
import { ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

test.use({ sandbox: 'off' })

const field = (page: Page) => page.getByRole('combobox', { name: 'Search all sessions' })
const hits = (page: Page) => page.getByRole('listbox', { name: 'Found' }).getByRole('option')

test('text in all sessions is found while the user types, and Enter opens the session at the entry', async ({ page, opened }, info) => {
  const long = Array.from({ length: 60 }, (_, at) => `Line ${at} of a long answer.`).join('\n\n')
  await opened(
    [
      message([call('shell', { command: 'echo periodOfInvoice' })]),
      say('The invoice is booked in the wrong month.'),
      say(long),
      say('The second session talks about Invoices, too.'),
    ],
    'Why is an invoice in February?',
  )
  await expect(ledger(page)).toContainText('wrong month')
  await send(page, 'Go on')
  await expect(ledger(page)).toContainText('Line 59 of a long answer.')
  await page.keyboard.press('Control+N')
  await expect(ledger(page)).toContainText('Nothing has happened yet')
  await send(page, 'And elsewhere?')
  await expect(ledger(page)).toContainText('talks about Invoices')

  await page.keyboard.press('Control+Shift+F')
  await expect(field(page)).toBeFocused()
  await field(page).pressSequentially('invoice')
  await expect(hits(page)).toHaveCount(5)
  await expect(hits(page).first()).toContainText('answerThe second session talks about Invoices, too.')
  await expect(hits(page).last()).toHaveText('1 more in this session')
  await expect(page.getByText(/^5 in 2 sessions, [\d.]+\sm?s$/u)).toBeVisible()
  await keepScreens(page, info, 'history-search')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('listbox', { name: 'Found' }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(hits(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('p')
  const slider = page.getByRole('slider', { name: 'Moment of the session' })
  await expect(slider).toBeVisible()
  await expect(ledger(page)).toContainText('talks about Invoices')
  await page.keyboard.press('ArrowRight')
  await expect(ledger(page)).toContainText('wrong month')
  await expect(ledger(page)).not.toContainText('Line 59 of a long answer.')
  await keepScreens(page, info, 'history-replay')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect(slider).toHaveCount(0)
  await hits(page).last().click()
  await expect(hits(page)).toHaveText([/talks about Invoices/, /wrong month/, /periodOfInvoice/, /periodOfInvoice/, /February/])
  await hits(page).last().click()
  await expect(ledger(page)).toHaveText(/Why is an invoice in February\?$/)
  await page.keyboard.press('Escape')
  await field(page).fill('echo periodOf')
  await expect(page.getByRole('button', { name: 'Open at step 1' })).toBeVisible()
  await page.getByRole('listbox', { name: 'Found' }).focus()
  await page.keyboard.press('f')
  await expect(ledger(page)).toContainText('echo periodOfInvoice')
  await expect(page.getByRole('button', { name: /^Fork of/ })).toBeVisible()
  await page.keyboard.press('Control+Shift+F')
  await field(page).fill('invoice')
  await hits(page).first().click()
  await expect(slider).toBeVisible()
  await field(page).fill('')
  await expect(slider).toHaveCount(0)
  await field(page).press('Escape')
  await expect(field(page)).toHaveCount(0)
  await page.keyboard.press('Control+Shift+F')
  await field(page).fill('invoice')
  await expect(hits(page)).toHaveCount(5)

  await page.getByRole('button', { name: /^Commands/ }).click()
  await expect(hits(page)).toHaveText([/echo periodOfInvoice/])
  await page.getByRole('button', { name: /^Everything/ }).click()
  await field(page).fill('"wrong month"')
  await expect(hits(page)).toHaveCount(1)
  await field(page).press('Enter')
  await expect(ledger(page).getByText('The invoice is booked in the wrong month.')).toBeInViewport()
})

test('a search result shows whether its call was signed or refused', { tag: '@slow' }, async ({ page, opened }, info) => {
  const write = message([call('write_file', { file_path: 'signed.txt', content: 'a needle\n' })])
  const other = message([call('write_file', { file_path: 'refused.txt', content: 'no needle\n' })])
  await opened([write, other, message([call('shell', { command: 'touch needle' })]), say('One needle is written.')], 'Write two needles')
  await sign(page, 'signed.txt')
  await expect(tray(page)).toContainText('refused.txt')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(tray(page)).toContainText('touch needle')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(ledger(page)).toContainText('One needle is written.')
  await page.keyboard.press('Control+Shift+F')
  await field(page).fill('needle')
  await hits(page).last().click()
  const markOf = (text: string) => hits(page).filter({ hasText: text }).first().getByRole('img')
  await expect(markOf('a needle')).toHaveAccessibleName(/^Signed /u)
  await expect(markOf('touch needle')).toHaveAccessibleName(/^Refused /u)
  await expect(markOf('no needle')).toHaveAccessibleName(/^Refused /u)
  await expect(hits(page).filter({ hasText: 'no needle' })).toContainText('refusedrefused.txt (not applied) no needle')
  await expect(page.getByRole('button', { name: /^Refused changes/ })).toContainText('1')
  const written = hits(page).filter({ hasText: 'a needle' }).first()
  await written.hover()
  await expect(written).toHaveAttribute('aria-selected', 'true')
  const row = await written.boundingBox()
  const mark = await markOf('a needle').boundingBox()
  // The active hit has two lines here, and its mark is on the first one.
  expect([(row?.height ?? 0) > 40, (mark?.y ?? 0) - (row?.y ?? 0)]).toEqual([true, 6])
  await keepScreens(page, info, 'history-marks')
  expect(await axeFindings(page)).toEqual([])
})

test('in a window of 700 px the filters are collapsed to leave space for the results', { tag: '@slow' }, async ({ page, opened }) => {
  await opened([say('A needle in this haystack.')], 'Look')
  await expect(ledger(page)).toContainText('needle')
  await page.setViewportSize({ width: 700, height: 500 })
  await page.keyboard.press('Control+Shift+F')
  await field(page).fill('needle')
  await expect(hits(page)).toBeInViewport({ ratio: 1 })
  await expect(field(page)).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: /^Commands/ }).click()
  await expect(hits(page)).toHaveCount(0)
  await expect(field(page)).toBeInViewport({ ratio: 1 })
})

test(
  'the search works offline and without a key, on sessions from before a restart',
  { tag: '@slow' },
  async ({ page, model, desk, opened }) => {
    const first = await opened([say('A needle in this haystack.')], 'Look')
    await expect(ledger(page)).toContainText('needle')
    await first.kill9()
    const again = await desk({ env: { ...modelEnv(await model([])), ANTHROPIC_API_KEY: '' } })
    await page.goto(again.address)
    await page.getByRole('button', { name: 'Search' }).first().click()
    await field(page).fill('edle in')
    await expect(hits(page)).toHaveText([/A needle in this haystack\./])
    await page.keyboard.press('Escape')
    await expect(field(page)).toHaveCount(0)
  },
)

test(
  'without a search text the sessions are listed, and the filters work on sessions and on results',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    await opened([say('A needle.'), say('Another needle.')], 'First request')
    await expect(ledger(page)).toContainText('A needle.')
    await page.keyboard.press('Control+N')
    await expect(ledger(page)).toContainText('Nothing has happened yet')
    await send(page, 'Second request')
    await expect(ledger(page)).toContainText('Another needle.')
    await page.keyboard.press('Control+Shift+F')
    const listed = page.getByRole('listbox', { name: 'Sessions' }).getByRole('option')
    await expect(listed).toHaveText([/Second request/, /First request/])
    await expect(page.getByRole('button', { name: /^Everything/ })).toHaveText('Everything')
    await expect(page.getByRole('button', { name: /^Any state/ })).toHaveText('Any state2')
    await keepScreens(page, info, 'history-sessions')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: /^Failed/ }).click()
    await expect(listed).toHaveCount(0)
    await page.getByRole('button', { name: /^Any state/ }).click()
    await page.getByLabel('From').fill('2099-01-01')
    await expect(listed).toHaveCount(0)
    await field(page).fill('needle')
    await expect(page.getByText('Nothing was found.', { exact: false })).toBeVisible()
    await page.getByLabel('From').fill('')
    await expect(hits(page)).toHaveCount(2)
    await page.getByRole('button', { name: /^Done/ }).click()
    await expect(hits(page)).toHaveCount(2)
    await field(page).fill('')
    await field(page).press('ArrowDown')
    await field(page).press('Enter')
    await expect(ledger(page)).toContainText('A needle.')
  },
)
