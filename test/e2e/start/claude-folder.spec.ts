import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { temporary } from '../support/running-desk.ts'
import { keepScreens } from '../support/screens.ts'

const FOREIGN = join(import.meta.dirname, '../../fixtures/foreign')

test('the trust question shows a user of Claude Code what would be loaded, and the settings show what is used', async ({
  page,
  places,
  model,
  desk,
}, info) => {
  const home = temporary('home')
  await cp(join(FOREIGN, 'claude-project'), places.project, { recursive: true })
  await cp(join(FOREIGN, 'claude-home'), home.path, { recursive: true })
  const scripted = await model([calls(call('read_file', { file_path: 'packages/api/routes.ts' })), say('Read.'), say('I tested nothing.')])
  const { address } = await desk({ env: { ...modelEnv(scripted), HOME: home.path } })
  await page.goto(address)
  await page.getByRole('button', { name: 'Open a folder', exact: false }).first().click()
  await page.getByRole('combobox', { name: /folder/i }).fill(places.project)
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Do you trust this folder?' })
  await expect(question).toContainText('.claude/settings.json')
  await expect(question).toContainText('.claude/agents/code-reviewer.md')
  await expect(question).toContainText('.claude/hooks/bash_guard.py')
  await expect(question).toContainText('Instructions in subfolders are read when the agent works there.')
  await keepScreens(page, info, 'claude-trust')
  await question.getByRole('button', { name: 'Trust and open' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Read the routes')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByText('I tested nothing.')).toBeVisible()
  await expect(ledger(page).getByText('5 entries in your files do not take effect as written', { exact: false })).toHaveCount(1)
  await expect(ledger(page)).toContainText('its permissions (2 allow, 1 deny), until you import them')
  await keepScreens(page, info, 'claude-first-turn')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Hooks' }).click()
  await keepScreens(page, info, 'claude-hooks')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Commands and agents' }).click()
  await expect(page.getByRole('row', { name: /code-reviewer/ })).toBeVisible()
  await keepScreens(page, info, 'claude-extensions')
  await home.remove()
})
