import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { ledger, tray } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Completions' }).getByRole('option')

test(
  'typing @ offers files, symbols and past sessions, and choosing a session inserts its summary and a link',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    await put('src/dates.ts', 'export function parseDates(text: string) {\n  return text\n}\n')
    await put('src/parse/index.ts', 'export class DateParser {}\n')
    const write = calls(call('write_file', { file_path: 'notes.txt', content: 'x\n' }))
    const { scripted } = await opened([write, say('Parsing is slow because of zones.'), say('Seen.')], 'Parse the dates faster')
    await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(ledger(page).getByText('Parsing is slow because of zones.')).toBeVisible()
    await page.keyboard.press('Control+N')
    await expect(field(page)).toHaveAttribute('placeholder', 'What should be done?')

    await field(page).pressSequentially('Look at @pars')
    await expect(options(page).filter({ hasText: 'DateParser' })).toContainText('class  src/parse/index.ts:1')
    await expect(options(page)).toContainText(['src/parse/', 'parseDates', 'Parse the dates faster'])
    await keepScreens(page, info, 'composer-mentions')
    expect(await axeFindings(page)).toEqual([])
    await field(page).pressSequentially('eDa')
    await expect(options(page)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('Look at `parseDates` (@src/dates.ts:1) ')

    await field(page).pressSequentially('as in @faster')
    await options(page).filter({ hasText: 'Parse the dates faster' }).click()
    await expect(field(page)).toHaveValue(/as in \[Parse the dates faster\]\(countersign:\/\/session\/s_\w+\) $/)
    await expect(page.getByRole('list', { name: 'Pasted texts in this message' })).toContainText(
      'Summary of the session “Parse the dates faster”',
    )
    await page.keyboard.press('Enter')
    await expect(ledger(page).getByText('Seen.')).toBeVisible()
    const body = JSON.stringify((await scripted.request(2)).body)
    expect(body).toMatch(/What was asked:\\n- Parse the dates faster/u)
    expect(body).toContain('Parsing is slow because of zones.')
  },
)
