import { join } from 'node:path'
import { axeFindings } from '../support/axe-findings.ts'
import { call, calls, httpError, say } from '../../support/scripted-model.ts'
import { expect, hasCopies, openProject, send, test } from '../support/desk-test.ts'
import { armed, composer, ledger, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

/** In a copy, the test command changes nothing, so it needs no approval there. */
const STEPS = hasCopies ? ['Edit src/day.js'] : ['Edit src/day.js', 'Run /']

test('the rehearsal starts with one keystroke and can be completed by keyboard', async ({ page, desk }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await expect(page.getByText('Nothing leaves this computer until you add a key')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'start')
  await page.keyboard.press('r')
  await armed(page).waitFor()
  await expect(page.getByText('Rehearsal, scripted')).toBeVisible()
  await page.keyboard.press('Control+j')
  const note = page.getByRole('button', { name: 'Refuse with a note' })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(note).toBeFocused({ timeout: 50 })
  }).toPass()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Keep it small.')
  await keepPictures(page, info, 'note')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByRole('blockquote')).toHaveText('Keep it small.')
  for (const [before, step] of STEPS.entries()) {
    await expect(tray(page).getByRole('heading', { level: 2 })).toContainText(step)
    await armed(page).waitFor()
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Enter')
    await expect(ledger(page).getByRole('img', { name: /^Signed \d\d:\d\d:\d\d$/ })).toHaveCount(before + 1)
  }
  await expect(ledger(page).getByText('That was the rehearsal.')).toBeVisible({ timeout: 30_000 })
  await expect(ledger(page).getByText('exit 0')).toBeVisible()
  await expect(ledger(page).getByRole('button', { name: 'Open a folder' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'end')
})

test('without a key the composer says what to do, sends nothing and keeps the text', async ({ page, places, desk }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await openProject(page, places.project)
  await expect(page.getByRole('status').getByText('There is no key for Anthropic yet')).toBeVisible()
  await send(page, 'Hello')
  await expect(composer(page)).toHaveValue('Hello')
  await keepPictures(page, info, 'no-key')
  await page.getByRole('button', { name: 'Add a key' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Anthropic key' })).toBeFocused()
  await page.keyboard.type('sk-ant-canary')
  await expect(page.getByRole('textbox', { name: 'Anthropic key' })).toHaveValue('sk-ant-canary')
  await keepPictures(page, info, 'key-field')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(composer(page)).toHaveValue('Hello')
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('textbox', { name: 'Anthropic key' })).toHaveCount(0)
})

test('a pasted key is recognized, tested and stored in one step, and a refused key is not stored', async ({ page, model, desk }) => {
  const scripted = await model(({ index }) => (index === 0 ? httpError(401, 'authentication_error', 'invalid x-api-key') : say('pong')))
  const { address } = await desk({ env: { ANTHROPIC_BASE_URL: scripted.url } })
  await page.goto(address)
  const field = page.getByRole('textbox', { name: 'Key' })
  const keep = page.getByRole('button', { name: 'Test and save' })
  await field.fill('hf_whatever')
  await expect(page.getByRole('paragraph').getByText('No provider is known for this key')).toBeVisible()
  await field.fill('sk-ant-canary-refused-AAAA')
  await keep.click()
  await expect(page.getByText(/rejected the key.*It was not saved\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save it anyway' })).toBeVisible()
  await expect(page.getByText('Nothing leaves this computer until you add a key')).toBeVisible()
  await field.fill('sk-ant-canary-works-BBBB')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Anthropic answered in/)).toBeVisible()
  await expect(page.getByText('Anthropic has a key, …BBBB.')).toBeVisible()
  await expect(field).toHaveValue('')
  const left = await page.evaluate(
    () => `${document.documentElement.outerHTML}${JSON.stringify(localStorage)}${JSON.stringify(sessionStorage)}`,
  )
  expect(left).not.toContain('canary')
})

test('a folder from the command line must be trusted first, and then the ledger says where and how the agent works', async ({
  page,
  places,
  desk,
}, info) => {
  const { address } = await desk({ folder: places.project, env: { ANTHROPIC_API_KEY: 'sk-test-canary-0123456789' } })
  await page.goto(address)
  // The question is a page of its own rather than a dialog, so it covers no unread content.
  await expect(page.getByRole('heading', { level: 1, name: /^Do you trust / })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'trust-page')
  await page.getByRole('button', { name: 'Trust and open' }).click()
  await expect(ledger(page).getByText(places.project)).toBeVisible()
  await expect(
    ledger(page).getByText(/Edits need your signature, and so do (?:the changes that commands make|commands that do more than read)/),
  ).toBeVisible()
  await expect(composer(page)).toBeFocused()
  await keepPictures(page, info, 'empty')
  await page.reload()
  await expect(ledger(page).getByText(places.project)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a folder from the command line that the user does not trust stays closed, and can be opened later', async ({
  page,
  places,
  desk,
}, info) => {
  const { address } = await desk({ folder: places.project })
  await page.goto(address)
  await page.getByRole('button', { name: 'Do not trust it' }).click()
  const said = page.getByRole('alert').filter({ hasText: 'was not opened, because you do not trust it' })
  await expect(said).toContainText('Nothing in the folder was read or run.')
  await expect(page.getByRole('main', { name: 'Start' })).toBeVisible()
  await keepPictures(page, info, 'not-trusted')
  await openProject(page, places.project)
  await expect(composer(page)).toBeFocused()
  await expect(said).toHaveCount(0)
})

test('a missing folder from the command line is reported until another folder is opened', async ({ page, places, desk }) => {
  const { address } = await desk({ folder: join(places.project, 'nope') })
  await page.goto(address)
  const said = page.getByRole('alert').filter({ hasText: 'nope' })
  await expect(said).toBeVisible()
  await openProject(page, places.project)
  await expect(composer(page)).toBeFocused()
  await expect(said).toHaveCount(0)
})

test('a refused key is stored only after a confirmation, and only a valid address is stored', async ({ page, model, desk }, info) => {
  const scripted = await model(() => httpError(401, 'authentication_error', 'invalid x-api-key'))
  const { address } = await desk()
  await page.goto(address)
  // Keys have no effect before the first frame.
  await page.getByRole('button', { name: 'Start rehearsal' }).waitFor()
  await page.keyboard.press('Control+,')
  const row = page.getByRole('row', { name: /^Anthropic/ })
  await row.getByRole('button', { name: 'base URL of Anthropic' }).click()
  const url = page.getByRole('textbox', { name: 'Base URL of Anthropic' })
  await expect(url).toBeFocused()
  await url.fill('not an address')
  await page.keyboard.press('Enter')
  await expect(row.locator('[aria-invalid=true]')).toBeVisible()
  await keepPictures(page, info, 'wrong-address')
  await url.fill(scripted.url)
  await page.keyboard.press('Enter')
  await expect(row).toContainText(scripted.url)
  await expect(row.getByRole('button', { name: 'base URL of Anthropic' })).toBeFocused()

  await row.getByRole('button', { name: 'Add a key for Anthropic' }).click()
  await page.keyboard.type('sk-ant-canary-refused-AAAA')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('It was not saved.')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'refused-key')
  await row.getByRole('button', { name: 'Save it anyway' }).click()
  await expect(row).toContainText('…AAAA')
})

test('the page at a used address says that an address works only once, and how to get another', async ({ page, browser, desk }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await page.getByRole('button', { name: 'Start rehearsal' }).waitFor()
  const stranger = await browser.newContext()
  const other = await stranger.newPage()
  await other.goto(address)
  const said = other.getByRole('alert')
  await expect(said).toContainText('each address works once')
  await expect(said).toContainText('Pressing Enter there prints another one')
  await expect(other.getByRole('button')).toHaveCount(0)
  await expect(other.getByRole('textbox')).toHaveCount(0)
  expect(await axeFindings(other)).toEqual([])
  await keepPictures(other, info, 'used-address')
  await stranger.close()
})

test('a lost connection is reported once with one action, and nothing looks usable or verified until the connection is back', async ({
  page,
  opened,
}, info) => {
  const running = await opened(() => calls(call('shell', { command: 'touch made' })), 'Begin')
  await armed(page).waitFor()
  await running.kill9()
  await expect(page.getByRole('alert').getByText('What was kept')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Connect now' })).toHaveCount(1)
  await expect(page.locator('[data-dot=proven]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Stop/ })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('combobox', { name: 'Mode', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await expect(armed(page)).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'lost')
})

test('the focus starts at the most useful control of every page', async ({ page, places, desk }) => {
  const { address } = await desk()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Start rehearsal' })).toBeFocused()
  await openProject(page, places.project)
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('button', { name: 'Providers and keys' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Control+Shift+d')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(composer(page)).toBeFocused()
})
