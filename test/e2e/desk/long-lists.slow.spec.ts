import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../support/desk-test.ts'
import { changedPath, writeLists } from '../support/written-lists.ts'

/** The maximum number of drawn rows in a list of thousands. A window shows about 30. */
const MAX_ROWS = 100

const sessionRows = (page: Page): Locator => page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem')
const scrollTo = (box: Locator, part: 0 | 1): Promise<void> =>
  box.evaluate((element, to) => element.scrollTo({ top: to * element.scrollHeight }), part)

test('U11: of 2,000 sessions only the visible ones are in the document, but arrow keys reach all of them', async ({
  page,
  places,
  desk,
}) => {
  await writeLists({ data: places.data, folder: places.project, sessions: 2_000, files: 1 })
  const { address } = await desk()
  await page.goto(address)
  const newest = sessionRows(page).filter({ hasText: 'Change them all' })
  await expect(newest).toHaveAttribute('aria-posinset', '1')
  await expect(newest).toHaveAttribute('aria-setsize', '2001')
  expect(await sessionRows(page).count()).toBeLessThan(MAX_ROWS)

  await newest.getByRole('button').focus()
  await page.keyboard.press('End')
  const oldest = sessionRows(page).filter({ hasText: /^Request 0/ })
  await expect(oldest.getByRole('button')).toBeFocused()
  await expect(oldest).toBeInViewport()
  await expect(oldest).toHaveAttribute('aria-posinset', '2001')
  await page.keyboard.press('ArrowUp')
  await expect(
    sessionRows(page)
      .filter({ hasText: /^Request 1\D/ })
      .getByRole('button'),
  ).toBeFocused()
  expect(await sessionRows(page).count()).toBeLessThan(MAX_ROWS)

  // The row with the focus keeps it when the row is scrolled out of view.
  const all = page.getByRole('region', { name: 'All sessions' })
  await scrollTo(all, 0)
  await expect(newest).toBeInViewport()
  await page.keyboard.press('ArrowUp')
  await expect(
    sessionRows(page)
      .filter({ hasText: /^Request 2\D/ })
      .getByRole('button'),
  ).toBeFocused()
  await page.keyboard.press('Home')
  await expect(newest.getByRole('button')).toBeFocused()
})

test('U11: of 3,000 changed files only the visible ones are in the document, and an open file stays open off screen', async ({
  page,
  places,
  desk,
}) => {
  await writeLists({ data: places.data, folder: places.project, sessions: 0, files: 3_000 })
  const { address } = await desk()
  await page.goto(address)
  const box = page.getByRole('region', { name: 'Changed files' })
  const file = (at: number): Locator => box.getByRole('region', { name: changedPath(at), exact: true })
  const show = (at: number): Locator => file(at).getByRole('button', { name: /the diff of/ })
  await show(80).click()
  await expect(show(80)).toHaveAttribute('aria-expanded', 'true')
  expect(await box.getByRole('region').count()).toBeLessThan(MAX_ROWS)
  const last = box.getByRole('region').last()
  for (let seen = ''; seen !== (await last.getAttribute('aria-label'));) {
    seen = (await last.getAttribute('aria-label')) ?? ''
    await scrollTo(box, 1)
    await expect(last).toBeInViewport()
  }
  await expect(file(2_999)).toBeInViewport()
  expect(await box.getByRole('region').count()).toBeLessThan(MAX_ROWS)
  await scrollTo(box, 0)
  await expect(show(80)).toBeInViewport()
  await expect(show(80)).toHaveAttribute('aria-expanded', 'true')

  await page.keyboard.press('Control+Shift+D')
  const review = page.getByRole('region', { name: 'Changed files' })
  await expect(review.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '75')
  expect(await review.getByRole('listitem').count()).toBeLessThan(MAX_ROWS)
  await scrollTo(review, 1)
  await expect(review.getByRole('button', { name: /^file-2999\.ts/ })).toBeInViewport()
})
