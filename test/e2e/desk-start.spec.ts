import type { Page } from 'playwright/test'
import { axeFindings } from './support/axe-findings.ts'
import { httpError, say } from '../support/scripted-model.ts'
import { expect, openProject, send, test } from './support/desk-test.ts'
import { keepPictures } from './support/pictures.ts'

const ledger = (page: Page) => page.getByRole('list', { name: /^Ledger/ })
const tray = (page: Page) => page.locator('[data-tray=needs]')

test('the rehearsal begins with one key and is played to its end with keys alone: refused with a note, signed, run', async ({
  page,
  desk,
}, info) => {
  const { address } = await desk()
  await page.goto(address)
  await expect(page.getByText('Nothing leaves this computer until you add a key')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'start')
  await page.keyboard.press('r')
  await tray(page).locator('[data-armed=true]').waitFor()
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
  for (const step of ['Edit src/day.js', 'Run a command']) {
    await expect(tray(page).getByRole('heading', { level: 2 })).toContainText(step)
    await tray(page).locator('[data-armed=true]').waitFor()
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(/^Signed \d\d:\d\d:\d\d$/)).toBeVisible()
  }
  await expect(ledger(page).getByText('That was the rehearsal.')).toBeVisible({ timeout: 30_000 })
  await expect(ledger(page).getByText('exit 0')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'end')
})

test('without a key the composer says what to do before anything is sent, and keeps the words', async ({ page, places, desk }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await openProject(page, places.project)
  await expect(page.getByRole('status').getByText('There is no key for Anthropic yet')).toBeVisible()
  await send(page, 'Hello')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello')
  await keepPictures(page, info, 'no-key')
  await page.getByRole('button', { name: 'Add a key' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
})

test('a pasted key is recognised, tested and kept in one go; one that is refused is not kept, and neither stays on the page', async ({
  page,
  model,
  desk,
}) => {
  const scripted = await model(({ index }) => (index === 0 ? httpError(401, 'authentication_error', 'invalid x-api-key') : say('pong')))
  const { address } = await desk({ env: { ANTHROPIC_BASE_URL: scripted.url } })
  await page.goto(address)
  const field = page.getByRole('textbox', { name: 'Key' })
  const keep = page.getByRole('button', { name: 'Test and keep' })
  await field.fill('hf_whatever')
  await expect(page.getByRole('paragraph').getByText('Nobody’s key begins like this.')).toBeVisible()
  await field.fill('sk-openai-0123456789')
  await expect(page.getByRole('paragraph').getByText('OpenAI is not in this version yet.')).toBeVisible()
  await field.fill('sk-ant-canary-refused-AAAA')
  await keep.click()
  await expect(page.getByText(/does not accept the key/)).toBeVisible()
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

test('a folder of the command line is asked about first, and the first line says where and how it works', async ({
  page,
  places,
  desk,
}, info) => {
  const { address } = await desk({ folder: places.project, env: { ANTHROPIC_API_KEY: 'sk-test-canary-0123456789' } })
  await page.goto(address)
  await page.getByRole('dialog').getByRole('button', { name: 'Trust and open' }).click()
  await expect(ledger(page).getByText(places.project)).toBeVisible()
  await expect(ledger(page).getByText(/every edit and command waits for your signature/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await keepPictures(page, info, 'empty')
  await page.reload()
  await expect(ledger(page).getByText(places.project)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
