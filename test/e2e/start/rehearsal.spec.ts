import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test } from '../support/desk-test.ts'
import { armed, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'
import { gitDifference, shownDifference } from '../support/shown-difference.ts'

test.use({ sandbox: 'off' })

const FILE = 'src/day.js'
const NOTE = 'Keep it small, please.'

const terminal = (page: Page) => page.locator('.xterm-rows').last()

async function lines(page: Page): Promise<readonly string[]> {
  const rows = await terminal(page).locator('> div').allInnerTexts()
  return rows.map((row) => row.trimEnd())
}

/** Waits until the request has been visible long enough to be signed. */
async function waitsFor(page: Page, title: string): Promise<void> {
  await expect(tray(page).getByRole('heading', { level: 2 })).toContainText(title)
  await armed(page).waitFor()
}

async function openReview(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+d')
  await page.getByRole('button', { name: 'Stacked' }).click()
  await expect(page.locator('[data-line][data-line-type^=change]').first()).toBeVisible()
}

test('the complete rehearsal can be played, and is still there after a restart without a model', async ({ page, places, desk }, info) => {
  test.slow()
  // The shell creates the sample in its temp folder, which is set to this test's own folder.
  const samples = join(places.project, 'samples')
  const copy = join(places.project, 'before')
  await mkdir(samples)
  const env = { TMPDIR: samples, TEMP: samples, TMP: samples }
  const first = await desk({ env })
  await page.goto(first.address)
  await expect(page.getByText('Nothing leaves this computer until you add a key')).toBeVisible()
  await keepScreens(page, info, 'first-run')

  await page.getByRole('button', { name: 'Start rehearsal' }).click()
  await waitsFor(page, `Edit ${FILE}`)
  const [sample = ''] = await readdir(samples)
  await cp(join(samples, sample), copy, { recursive: true })
  const before = await readFile(join(copy, FILE), 'utf8')
  await expect(page.getByText('Rehearsal, scripted')).toBeVisible()
  await expect(ledger(page).getByText('invoices.test.js, invoices.js')).toBeVisible()
  await expect(ledger(page).getByText('day.js, day.test.js')).toBeVisible()
  await expect(tray(page)).toContainText("split('-').map(Number)")
  await keepScreens(page, info, 'approve-edit')

  await tray(page).getByRole('button', { name: 'Refuse with a note' }).click()
  await page.getByRole('textbox', { name: 'What the agent should do instead' }).fill(NOTE)
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByRole('blockquote')).toHaveText(NOTE)
  await expect(tray(page)).toContainText('getUTCMonth')
  expect(await readFile(join(samples, sample, FILE), 'utf8')).toBe(before)

  await waitsFor(page, `Edit ${FILE}`)
  await tray(page).getByRole('button', { name: 'Sign edit' }).click()
  await waitsFor(page, 'Run /')
  expect(await readFile(join(samples, sample, FILE), 'utf8')).toBe(before.replaceAll(/\.get(FullYear|Month|Date)\(/g, '.getUTC$1('))
  await keepScreens(page, info, 'approve-command')
  await page.keyboard.press('Control+2')
  await sign(page)
  await expect(terminal(page)).toContainText(/pass 8/)
  await expect(ledger(page).getByText('That was the rehearsal.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Commands of this session' })).toContainText('exit 0')
  await expect(page.getByRole('list', { name: 'Commands of this session' })).toContainText(join(samples, sample))
  await expect(tray(page)).toHaveCount(0)

  await openReview(page)
  const difference = await gitDifference(join(copy, FILE), join(samples, sample, FILE))
  expect(difference.map(({ sign, line }) => `${sign}${line}`)).toEqual(['-5', '+5'])
  await expect.poll(() => shownDifference(page.getByRole('main'))).toEqual(difference)
  const textLeft = (selector: string): Promise<number> =>
    page
      .getByRole('main')
      .locator(selector)
      .first()
      .evaluate((line) => {
        return line.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(line).paddingLeft)
      })
  expect(await textLeft('[data-line]'), 'the code begins where the words of a fold begin').toBe(await textLeft('[data-unmodified-lines]'))
  await keepScreens(page, info, 'changes')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+2')
  await expect(terminal(page)).toContainText(/pass 8/)
  const told = await ledger(page).innerText()
  const screen = await lines(page)
  expect(await first.stop()).toBe(0)

  const second = await desk({ env })
  await page.goto(second.address)
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').getByRole('button').first().click()
  await expect(ledger(page).getByText('That was the rehearsal.')).toBeVisible()
  await expect.poll(() => ledger(page).innerText()).toBe(told)
  await page.keyboard.press('Control+2')
  await expect(terminal(page)).toContainText(/pass 8/)
  await expect.poll(() => lines(page)).toEqual(screen)
  await openReview(page)
  await expect.poll(() => shownDifference(page.getByRole('main'))).toEqual(difference)
})
