import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, sign, tray } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

const LINES = Array.from({ length: 60 }, (_, at) => `const line${at + 1} = ${at + 1}\n`)
const CHANGED: Readonly<Record<number, string>> = { 2: 'const second = 2', 30: 'const middle = 30', 58: 'const last = 58' }
const hunkOf = (at: number): string =>
  `@@\n const line${at - 1} = ${at - 1}\n-const line${at} = ${at}\n+${CHANGED[at]}\n const line${at + 1} = ${at + 1}`
const PATCH = [
  '*** Begin Patch',
  '*** Update File: a.ts',
  hunkOf(2),
  hunkOf(30),
  hunkOf(58),
  '*** Add File: b.ts',
  '+export {}',
  '*** End Patch',
]
const SCRIPT = [message([call('apply_patch', { patch: PATCH.join('\n') })]), say('Done.')]

const head = (page: Page): Locator => page.getByRole('main').locator('header').first()
const hunks = (page: Page): Locator => tray(page).locator('[data-hunk]')
const states = (page: Page) => hunks(page).evaluateAll((all) => all.map((one) => (one instanceof HTMLElement ? one.dataset['hunk'] : '')))

test.beforeEach(async ({ put }) => {
  await put('a.ts', LINES.join(''))
})

test('a waiting request is decided in the review with the same decisions as in its tray, and signed there', async ({
  page,
  places,
  opened,
}, info) => {
  await opened(SCRIPT, 'Rename them')
  await expect(hunks(page)).toHaveCount(4)
  await hunks(page).nth(1).getByRole('button', { name: 'Refuse' }).click()
  await page.keyboard.press('Control+Shift+d')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: /a\.ts/u }).click()
  await expect(armed(page)).toHaveText(/Sign 3 of 4 hunks/u)
  expect(await states(page)).toEqual(['signed', 'refused', 'signed', 'signed'])
  await expect(head(page)).toContainText('hunk 2 of 3')
  await keepScreens(page, info, 'review-request')
  expect(await axeFindings(page)).toEqual([])

  // The keys of the review and of the tray move both of them.
  await page.keyboard.press('j')
  await expect(hunks(page).nth(2)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Control+j')
  await expect(tray(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('j')
  await expect(head(page)).toContainText('b.ts')
  await page.keyboard.press('n')
  await page.keyboard.press('k')
  await page.keyboard.press('e')
  await tray(page).getByRole('textbox').fill('const mine = 58')
  await page.keyboard.press('Control+s')
  expect(await states(page)).toEqual(['signed', 'refused', 'signed', 'refused'])
  await expect(tray(page)).toContainText('const mine = 58')

  // The tray on the desk has the decisions of the review.
  await page.getByRole('button', { name: 'Close review' }).first().click()
  await expect(armed(page)).toHaveText(/Sign 2 of 4 hunks/u)
  expect(await states(page)).toEqual(['signed', 'refused', 'signed', 'refused'])
  await page.keyboard.press('Control+Shift+d')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: /a\.ts/u }).click()
  await sign(page, 'Sign 2 of 4 hunks')
  await expect(page.getByRole('button', { name: /^Undo step 1/u }).first()).toBeVisible()
  expect(await readFile(join(places.project, 'a.ts'), 'utf8')).toBe(
    LINES.with(1, 'const second = 2\n').with(57, 'const mine = 58\n').join(''),
  )
})

test(
  'at the smallest window, a request can be answered in the review, and a signed step undone',
  { tag: '@slow' },
  async ({ page, opened }) => {
    await page.setViewportSize({ width: 900, height: 600 })
    await opened(SCRIPT, 'Rename them')
    await armed(page).waitFor()
    await page.keyboard.press('Control+Shift+d')
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await page.getByRole('option', { name: /Step 1/u }).click()
    for (const button of [armed(page), tray(page).getByRole('button', { name: 'Refuse', exact: true })])
      await expect(button).toBeInViewport({ ratio: 1 })
    await sign(page, 'Sign 2 changes')
    await expect(page.getByRole('button', { name: /^Undo step 1/u }).filter({ visible: true })).toBeInViewport({ ratio: 1 })
  },
)
