import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { httpError, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { settled } from '../support/settled.ts'

/** This key must not be found anywhere after it was set. */
const KEY = 'sk-ant-canary-7f3a91c2d4e5-WXYZ'

const row = (page: Page, provider: string) => page.getByRole('row', { name: new RegExp(`^${provider}`) })

async function openSettings(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
}

test('the whole address of a provider is shown, on one line if there is room', async ({ page, desk }) => {
  const { address } = await desk({ env: { GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com' } })
  const shown = row(page, 'Gemini').getByText('https://generativelanguage.googleapis.com')
  for (const [width, lines] of [
    [1440, 1],
    [1000, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    if (lines === 1) await openSettings(page, address)
    const cut = await shown.evaluate((element) => {
      const { height } = element.getBoundingClientRect()
      return {
        lines: Math.round(height / Number.parseFloat(getComputedStyle(element).lineHeight)),
        hidden: element.scrollWidth > element.clientWidth,
      }
    })
    expect(cut).toEqual({ lines, hidden: false })
  }
})

test('the chosen section is marked even if it cannot be scrolled to the top', async ({ page, desk }) => {
  const { address } = await desk()
  await openSettings(page, address)
  const nav = page.getByRole('navigation', { name: 'Settings' })
  const marked = nav.locator('[aria-current]')
  for (const section of ['Storage', 'Limits', 'Hooks', 'Rules', 'Providers and keys']) {
    await nav.getByRole('button', { name: section }).click()
    await settled(page)
    await expect(marked).toHaveText(section)
    await expect(page.getByRole('heading', { name: section, level: 2 })).toBeInViewport()
  }

  // The content above the section may grow while it loads. The section must stay in view.
  await nav.getByRole('button', { name: 'Hooks' }).click()
  await page.getByRole('region', { name: 'Providers and keys' }).evaluate((section) => (section.style.paddingBottom = '3000px'))
  await expect(page.getByRole('heading', { name: 'Hooks', level: 2 })).toBeInViewport()
  await nav.getByRole('button', { name: 'Providers and keys' }).click()

  await page.getByRole('heading', { name: 'Providers and keys', level: 2 }).hover()
  await page.mouse.wheel(0, 100_000)
  await expect(marked).toHaveText('About')
})

test('a key is tested immediately, shown by its last four characters, and found nowhere in the page or on disk', async ({
  page,
  places,
  model,
  desk,
  shell,
}) => {
  const scripted = await model(() => say('pong'))
  const { address } = await desk({ env: { ANTHROPIC_BASE_URL: scripted.url } })
  await openSettings(page, address)
  await row(page, 'Anthropic').getByRole('button', { name: 'Add a key for Anthropic' }).click()
  await expect(page.getByLabel('Anthropic key')).toBeFocused()
  await page.keyboard.type(KEY)
  await page.keyboard.press('Enter')
  await expect(row(page, 'Anthropic')).toContainText('…WXYZ')
  await expect(row(page, 'Anthropic')).toContainText(shell === 'desktop' ? 'keychain' : 'memory')
  await expect(row(page, 'Anthropic')).toContainText(/Works.*(ms|s), \d\d:\d\d:\d\d/)

  const left = await page.evaluate(
    () => `${document.documentElement.outerHTML}${JSON.stringify(localStorage)}${JSON.stringify(sessionStorage)}`,
  )
  expect(left).not.toContain(KEY)
  expect(left).not.toContain('7f3a91c2d4e5')
  await row(page, 'Anthropic').getByRole('button', { name: 'Remove the key of Anthropic' }).click()
  await expect(row(page, 'Anthropic')).toContainText('not set')
  expect(await readFile(join(places.data, 'settings.json'), 'utf8').catch(() => '')).not.toContain('7f3a91c2d4e5')
})

test('a message about a refused key says what happened, what was kept and what to do', async ({ page, model, desk }) => {
  const scripted = await model(() => httpError(401, 'authentication_error', 'invalid x-api-key'))
  const { address } = await desk({ env: { ANTHROPIC_BASE_URL: scripted.url } })
  await openSettings(page, address)
  await row(page, 'Anthropic')
    .getByRole('button', { name: /Add a key/ })
    .click()
  await page.keyboard.type(KEY)
  await page.keyboard.press('Enter')
  await expect(row(page, 'Anthropic')).toContainText('It was not saved.')
  await page.keyboard.press('Escape')
  await expect(row(page, 'Anthropic')).toContainText('not set')
})

test('a key from the environment is labeled and cannot be removed in the settings, and other providers can get a key', async ({
  page,
  desk,
}) => {
  const { address } = await desk({ env: { ANTHROPIC_API_KEY: KEY } })
  await openSettings(page, address)
  await expect(row(page, 'Anthropic')).toContainText('environment')
  await expect(row(page, 'Anthropic').getByRole('button', { name: /Remove/ })).toHaveAttribute('aria-disabled', 'true')
  for (const other of ['OpenAI-compatible', 'Gemini'])
    await expect(row(page, other).getByRole('button', { name: /Add a key/ })).toBeVisible()
})

test('theme and text size take effect immediately and survive a reload', async ({ page, desk }) => {
  const { address } = await desk()
  await openSettings(page, address)
  await page.getByRole('radio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('radio', { name: 'Large' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-text', 'large')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-text', 'large')
})

test('defaults for new sessions are saved in the settings file', async ({ page, places, desk }) => {
  const { address } = await desk()
  await openSettings(page, address)
  await page.getByRole('combobox', { name: 'Mode of new sessions' }).click()
  await page.getByRole('option', { name: /^plan/ }).click()
  await expect(page.getByRole('combobox', { name: 'Mode of new sessions' })).toHaveText('plan')
  await page.getByLabel('Rounds per turn').fill('12')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Saved \d\d:\d\d:\d\d$/).first()).toBeVisible()
  await expect
    .poll(async () => JSON.parse(await readFile(join(places.data, 'settings.json'), 'utf8')))
    .toMatchObject({ mode: 'plan', maxRounds: 12 })
  await page.getByLabel('Rounds per turn').fill('none')
  await expect(page.getByText('none is not a number of rounds. 1 to 10,000. The setting was not changed.')).toBeVisible()
})

test('request options are checked before they are saved, and a model can have its own effort', async ({ page, places, desk }) => {
  const { address } = await desk()
  await openSettings(page, address)
  const saved = async (): Promise<unknown> => JSON.parse(await readFile(join(places.data, 'settings.json'), 'utf8').catch(() => '{}'))
  await page.getByRole('combobox', { name: 'Provider of the request options' }).click()
  await page.getByRole('option', { name: 'Gemini' }).click()
  const options = page.getByLabel('Request options of Gemini')
  await options.fill('{ "grounding": "yes" }')
  await expect(page.getByText('grounding: expected boolean, received string. Nothing was changed.')).toBeVisible()
  await options.press('Tab')
  await options.fill('{ "grounding": true, "headers": { "x-project": "a" } }')
  await options.press('Tab')
  await expect.poll(saved).toEqual({ providerOptions: { gemini: { grounding: true, headers: { 'x-project': 'a' } } } })
  await expect(page.getByText(/Anthropic: built-in list of \d+\s\w{3}\s\d{4}\./)).toBeVisible()
  await page.getByRole('combobox', { name: /^Effort of claude/ }).click()
  await page.getByRole('option', { name: /^high/ }).click()
  await expect.poll(saved).toMatchObject({ modelFacts: { 'anthropic/claude-opus-5-5': { effort: 'high' } } })
  await options.fill('')
  await options.press('Tab')
  await expect.poll(saved).toMatchObject({ providerOptions: {} })
  expect(await axeFindings(page)).toEqual([])
})

test('unusable parts of the settings file are listed, and the other settings apply', async ({ page, places, desk }) => {
  await writeFile(join(places.data, 'settings.json'), '{ "theme": "dark", "maxRounds": "many" }')
  const { address } = await desk()
  await openSettings(page, address)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('main')).toContainText('What happened')
  await expect(page.getByRole('main')).toContainText('maxRounds')
})

test('the storage section says where the data is and that all sessions are listed', async ({ page, places, desk }) => {
  const { address } = await desk()
  await openSettings(page, address)
  await expect(page.getByText(places.data, { exact: true })).toBeAttached()
  await expect(page.getByText('0 sessions on disk, all of them listed')).toBeAttached()
  await page.getByRole('combobox', { name: 'Mode of new sessions' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /Start rehearsal/ })).toBeVisible()
})

for (const theme of ['Light', 'Dark'])
  test(`axe finds nothing in the settings (${theme})`, async ({ page, desk }) => {
    const { address } = await desk()
    await openSettings(page, address)
    await page.getByRole('radio', { name: theme }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase())
    await row(page, 'Anthropic')
      .getByRole('button', { name: /Add a key/ })
      .click()
    expect(await axeFindings(page)).toEqual([])
  })
