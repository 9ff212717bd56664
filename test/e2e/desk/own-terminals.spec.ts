import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { say } from '../../support/scripted-model.ts'
import { composer, openSession } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const own = (page: Page, name: string) => page.getByRole('region', { name: `Your terminal ${name}` })
const rows = (page: Page, name: string) => own(page, name).locator('.xterm-rows')
const env = (model: Parameters<typeof modelEnv>[0]) => ({ ...modelEnv(model), SHELL: '/bin/sh' })

test('own terminals open by shortcut, split, are renamed and searched, link to files, and survive a reload', async ({
  page,
  put,
  opened,
}, info) => {
  // Two shells start, and each may take 10 s on a busy machine.
  test.setTimeout(180_000)
  await put('src/money.js', 'one\ntwo\n')
  await opened([], undefined, env)
  await composer(page).focus()
  await page.keyboard.press('Control+Backquote')
  await page.keyboard.type('echo typed-at-once\n')
  await expect(rows(page, 'Terminal 1').getByText(/^typed-at-once/u)).toBeVisible()
  await expect(own(page, 'Terminal 1').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('for n in 1 2 3; do echo "GET /page/$n"; done; echo src/money.js:2\n')
  await expect(rows(page, 'Terminal 1')).toContainText('GET /page/3')
  await page.keyboard.press('Control+Backquote')
  await expect(composer(page)).toBeFocused()

  await page.getByRole('button', { name: 'New terminal' }).click()
  await keepPictures(page, info, 'menu')
  await page.getByRole('menuitem', { name: 'Rename this one' }).click()
  await page.getByRole('textbox', { name: 'Name of the terminal' }).fill('server')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('radio', { name: 'server' })).toBeChecked()
  await page.getByRole('button', { name: 'New terminal' }).click()
  await page.getByRole('menuitem', { name: 'Split this one' }).click()
  await expect(rows(page, 'Terminal 1')).toContainText(/[#$]/u)
  await expect(rows(page, 'server')).toContainText('GET /page/3')

  await page.getByRole('button', { name: 'Search server' }).click()
  await page.keyboard.type('get /page')
  await expect(own(page, 'server')).toContainText('4 of 4')
  await page.keyboard.press('Enter')
  await expect(own(page, 'server')).toContainText('3 of 4')
  await keepPictures(page, info, 'split')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(own(page, 'server').getByRole('textbox')).toBeFocused()

  await page.reload()
  await expect(rows(page, 'server')).toContainText('GET /page/3')
  await expect(rows(page, 'Terminal 1')).toContainText(/[#$]/u)
  await page.getByRole('button', { name: 'Close Terminal 1' }).click()
  await expect(own(page, 'Terminal 1')).toHaveCount(0)

  await own(page, 'server').getByRole('button', { name: 'Give to the agent' }).click()
  await expect(composer(page)).toBeFocused()
  await expect(page.getByText('Output of my terminal “server”')).toBeVisible()
  const line = rows(page, 'server').locator('div', { hasText: /^src\/money\.js:2/u })
  await line.hover({ force: true, position: { x: 40, y: 9 } })
  await expect(own(page, 'server').locator('.xterm-cursor-pointer')).toBeVisible()
  await line.click({ force: true, position: { x: 40, y: 9 } })
  await expect(page.getByRole('group', { name: 'File src/money.js' }).locator('[data-line="2"]')).toBeInViewport()
})

test(
  'after a restart, an own terminal shows its earlier output above a new shell',
  { tag: '@slow' },
  async ({ page, places, model, opened, desk }) => {
    test.setTimeout(180_000)
    const { kill9 } = await opened([say('Hello.')], 'Greet me', env)
    await expect(page.getByText('Hello.', { exact: true })).toBeVisible()
    // A key that is held repeats, but opens one terminal.
    for (const key of ['Control', 'Shift', 'Backquote', 'Backquote', 'Backquote']) await page.keyboard.down(key)
    for (const key of ['Backquote', 'Shift', 'Control']) await page.keyboard.up(key)
    await expect(rows(page, 'Terminal 1')).toContainText(/[#$]/u)
    await expect(page.getByRole('radio', { name: /^Terminal \d/u })).toHaveCount(1)
    await page.keyboard.type('echo "[$((40 + 2))]"\n')
    await expect(rows(page, 'Terminal 1')).toContainText('[42]')
    const kept = async (): Promise<string> => {
      const names = await readdir(join(places.data, 'terminals')).catch(() => [])
      return String(await Promise.all(names.map((name) => readFile(join(places.data, 'terminals', name), 'utf8').catch(() => ''))))
    }
    await expect.poll(kept).toContain('[42]')
    await kill9()
    const again = await desk({ env: env(await model([])) })
    await page.goto(again.address)
    await openSession(page, /Greet me/u)
    await page.keyboard.press('Control+2')
    await page.getByRole('radio', { name: 'Terminal 1' }).press('Space')
    await expect(rows(page, 'Terminal 1')).toContainText('[42]')
    await expect(rows(page, 'Terminal 1')).toContainText('Restored with a new shell.')
    await own(page, 'Terminal 1').getByRole('textbox').focus()
    await page.keyboard.type('echo "[$((50 + 1))]"\n')
    await expect(rows(page, 'Terminal 1')).toContainText('[51]')
  },
)
