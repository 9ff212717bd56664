import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { keepScreens } from '../support/screens.ts'

const limits = (page: Page) => page.getByRole('region', { name: 'Limits' })

async function set(page: Page, label: string, value: string): Promise<void> {
  const field = limits(page).getByLabel(label, { exact: true })
  await field.fill(value)
  await field.press('Enter')
}

test('every limit has a field with its unit and default, and an empty field removes the limit', async ({
  page,
  places,
  model,
  desk,
}, info) => {
  const scripted = await model(() => say('Done.'))
  const first = await desk({ env: modelEnv(scripted) })
  await page.goto(first.address)
  await openProject(page, places.project)
  await send(page, 'Make the project known')
  await expect(page.getByRole('main')).toContainText('Done.')
  await page.keyboard.press('Control+,')
  const kept = async (): Promise<unknown> => JSON.parse(await readFile(join(places.data, 'settings.json'), 'utf8').catch(() => '{}'))
  await expect(limits(page).getByLabel('Rounds per turn')).toHaveValue('200')
  await expect(limits(page).getByLabel('Stalled answers')).toHaveValue('300')
  await expect(limits(page).getByLabel('Tokens per turn')).toHaveValue('')
  await expect(limits(page).getByLabel('Tokens per turn')).toHaveAttribute('placeholder', 'no limit')

  await set(page, 'Rounds per turn', '12')
  await set(page, 'Tokens per turn', '200,000')
  await set(page, 'Cost per turn', '0.5')
  await set(page, 'Tokens per session', '2000000')
  await set(page, 'Cost per session', '5')
  await set(page, 'Stalled answers', '90')
  await set(page, 'Retry failed requests', '120')
  await set(page, 'Command time limit', '45')
  await limits(page).getByRole('combobox', { name: 'Project whose commands get variables' }).click()
  await page.getByRole('option').click()
  const names = limits(page).getByLabel(`Variables for commands in ${places.project}`)
  await expect(names).toBeFocused()
  await page.keyboard.type('NPM_TOKEN AWS_*')
  await page.keyboard.press('Enter')
  const all = {
    maxRounds: 12,
    turnBudgetTokens: 200_000,
    turnBudgetUsd: 0.5,
    budgetTokens: 2_000_000,
    budgetUsd: 5,
    idleLimitMs: 90_000,
    retryForMs: 120_000,
    commandLimitMs: 45_000,
    allowVariables: { [places.project]: ['NPM_TOKEN', 'AWS_*'] },
  }
  await expect.poll(kept).toEqual(all)
  await expect(names).toHaveValue('NPM_TOKEN, AWS_*')
  await expect(names).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await limits(page).scrollIntoViewIfNeeded()
  await keepScreens(page, info, 'settings-limits')

  await first.kill9()
  const { address } = await desk({ env: modelEnv(scripted) })
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.keyboard.press('Control+,')
  const shown = {
    'Rounds per turn': '12',
    'Tokens per turn': '200000',
    'Cost per turn': '0.50',
    'Tokens per session': '2000000',
    'Cost per session': '5.00',
    'Stalled answers': '90',
    'Retry failed requests': '120',
    'Command time limit': '45',
    [`Variables for commands in ${places.project}`]: 'NPM_TOKEN, AWS_*',
  }
  for (const [label, value] of Object.entries(shown)) await expect(limits(page).getByLabel(label, { exact: true })).toHaveValue(value)

  await set(page, 'Cost per session', '')
  await set(page, 'Command time limit', '')
  await set(page, `Variables for commands in ${places.project}`, '')
  await expect.poll(kept).toEqual({ ...all, budgetUsd: 0, commandLimitMs: 0, allowVariables: {} })
})

test('an invalid limit is not saved, and a message says what would be valid', async ({ page, places, model, desk }, info) => {
  const scripted = await model(() => say('Done.'))
  const { address } = await desk({ env: modelEnv(scripted) })
  await page.goto(address)
  await openProject(page, places.project)
  await page.keyboard.press('Control+,')
  await set(page, 'Tokens per turn', 'a lot')
  await expect(limits(page)).toContainText(
    'a lot is not a number of tokens. 1 to 1,000,000,000,000, or empty for no limit. The setting was not changed.',
  )
  await set(page, 'Cost per session', '0.001')
  await expect(limits(page)).toContainText(
    '0.001 is not an amount in dollars. 0.01 to 1,000,000, or empty for no limit. The setting was not changed.',
  )
  await set(page, 'Command time limit', '601')
  await expect(limits(page)).toContainText('601 is too high. 1 to 600, or empty for the default limit. The setting was not changed.')
  await limits(page).getByRole('combobox', { name: 'Project whose commands get variables' }).click()
  await page.getByRole('option').click()
  await page.keyboard.type('*')
  await page.keyboard.press('Enter')
  await expect(limits(page)).toContainText('* would pass on every secret. List only the variables that are needed.')
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'wrong-limits')
  expect(await readFile(join(places.data, 'settings.json'), 'utf8').catch(() => 'none')).toBe('none')
})
