import { call, calls, say } from '../support/scripted-model.ts'
import { axeFindings } from './support/axe-findings.ts'
import { expect, test } from './support/desk-test.ts'
import { ledger } from './support/on-the-desk.ts'
import { keepScreens } from './support/screens.ts'
import type { Page } from 'playwright/test'

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const list = (page: Page) => page.getByRole('listbox', { name: 'Completions' })

const FIX = '---\ndescription: Fix an issue of the tracker\nargument-hint: [number] [priority]\n---\nFix issue $0. The list:\n@issues.txt\n'
const SKILL = '---\nname: release\ndescription: How this project makes a release\n---\nRun the steps of $ARGUMENTS.\n'

test('a command of the project is chosen from the list, and its text reaches the agent with arguments and files', async ({
  page,
  put,
  opened,
}, info) => {
  await put('.claude/commands/fix.md', FIX)
  await put('.claude/skills/release/SKILL.md', SKILL)
  await put('issues.txt', '12 crash at start\n')
  const { scripted } = await opened([say('Fixed.')])
  await field(page).pressSequentially('/')
  await expect(list(page).getByRole('option')).toContainText(['/release', '/fix', '/init', '/review'])
  await keepScreens(page, info, 'composer-commands')
  expect(await axeFindings(page)).toEqual([])
  await field(page).pressSequentially('fi')
  await expect(list(page).getByRole('option').first()).toContainText('[number] [priority]  Fix an issue of the tracker')
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('/fix ')
  await expect(list(page)).toHaveCount(0)
  await field(page).pressSequentially('12 high')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByText('Fixed.')).toBeVisible()
  await expect(ledger(page).getByRole('heading', { name: '/fix 12 high' })).toBeVisible()
  expect(JSON.stringify((await scripted.request(0)).body)).toMatch(/Fix issue 12\. The list:.*12 crash at start/u)
  await ledger(page).getByRole('button', { name: 'Show the text of this command' }).click()
  await expect(ledger(page)).toContainText('12 crash at start')
})

test('the agent looks up a skill by the name that other agents use', async ({ page, put, opened }) => {
  await put('.claude/skills/release/SKILL.md', SKILL)
  const { scripted } = await opened([calls(call('Skill', { skill: 'release', args: 'version 2' })), say('Released.')], 'Make a release')
  await expect(ledger(page).getByText('Released.')).toBeVisible()
  const tools = (await scripted.request(0)).body['tools'] as readonly { readonly name: string; readonly description: string }[]
  expect(tools.find(({ name }) => name === 'slash_command')?.description).toContain('/release: How this project makes a release')
  expect(JSON.stringify((await scripted.request(1)).body)).toContain('Run the steps of version 2.')
  await expect(ledger(page)).toContainText('release')
})

test('the desk carries out its own slash commands, and an unknown one is sent as it is', async ({ page, opened }) => {
  await opened([say('What?')])
  await field(page).pressSequentially('/plan')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Mode', exact: true })).toContainText(/plan/i)
  await expect(field(page)).toHaveValue('')
  await field(page).pressSequentially('/nothing')
  await expect(page.getByText('No command is called /nothing. It is sent as a message.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByRole('heading', { name: '/nothing' })).toBeVisible()
})

test('a path is completed after @, folders step by step, ignored files never', async ({ page, put, opened }, info) => {
  await put('src/dates/parse.ts', 'export {}\n')
  await put('src/dates/format.ts', 'export {}\n')
  await put('README.md', '# Read\n')
  await opened([say('Read.')])
  await field(page).pressSequentially('Look at @pars')
  await expect(list(page).getByRole('option')).toHaveText(['src/dates/parse.ts'])
  await page.keyboard.press('Escape')
  await expect(list(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('Look at @pars')
  await field(page).fill('Look at @date')
  await expect(list(page).getByRole('option').first()).toHaveText('src/dates/')
  await keepScreens(page, info, 'composer-paths')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Look at @src/dates/')
  await field(page).pressSequentially('fo')
  await expect(list(page).getByRole('option')).toHaveText(['src/dates/format.ts'])
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Look at @src/dates/format.ts ')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByRole('heading', { name: 'Look at @src/dates/format.ts' })).toBeVisible()
})
