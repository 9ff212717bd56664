import type { Page } from 'playwright/test'
import { expect as quickly, test } from '../support/desk-test.ts'
import { writeFileChange } from '../support/written-file.ts'

// Both files have 100,000 lines, and on a busy machine each step of the page takes several times as long.
const expect = quickly.configure({ timeout: 60_000 })
const LINES = 100_000
const text = (word: string): string => Array.from({ length: LINES }, (_, at) => `export const value${at + 1} = '${word}'\n`).join('')

const rows = (page: Page) => page.getByRole('main').locator('[data-line]')

/** Scrolls all boxes with this label to their current end. */
async function toTheEnd(page: Page, label: string): Promise<void> {
  await page
    .getByRole('main')
    .locator(`[aria-label="${label}"]`)
    .evaluateAll((boxes) => {
      for (const box of boxes) box.scrollTop = box.scrollHeight
    })
}

/** Records the kinds of all jobs that the page gives to its workers. Call it before the page is opened. */
async function workerJobs(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const jobs: string[] = []
    Object.assign(window, { jobs })
    Worker.prototype.postMessage = new Proxy(Worker.prototype.postMessage, {
      apply(post, worker, parts: [{ readonly type?: string }]) {
        jobs.push(parts[0].type ?? 'other')
        return Reflect.apply(post, worker, parts)
      },
    })
  })
  return () => page.evaluate(() => (window as unknown as { readonly jobs: readonly string[] }).jobs)
}

test('a diff of 200,000 lines and its whole-file view open immediately and draw only their visible lines', async ({
  page,
  places,
  desk,
}) => {
  test.slow()
  await writeFileChange({ data: places.data, folder: places.project, shown: 'src/huge.ts', before: text('old'), after: text('new') })
  const jobs = await workerJobs(page)
  const running = await desk()
  await page.goto(running.address)
  await expect(page.getByText('Change the file').first()).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  await expect(page.getByRole('complementary')).toContainText('src')
  await expect(rows(page).first()).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(140)
  await toTheEnd(page, 'Difference')
  await expect(page.locator('[data-line-type=change-addition]', { hasText: `value${LINES} = 'new'` })).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(400)

  await page.keyboard.press('w')
  await expect(page.getByText('100,000 lines')).toBeVisible()
  await expect(rows(page).first()).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(400)
  await toTheEnd(page, 'Whole file')
  await expect(page.getByRole('main').locator(`[data-line="${LINES}"]`)).toBeVisible()
  await expect(page.getByRole('main').locator(`[data-column-number="${LINES}"]`)).toHaveAttribute('data-by', 'edit')
  // Highlighting so many lines would keep a core busy for seconds and then block the page.
  expect(await jobs()).toContain('other')
  expect(await jobs()).not.toContain('diff')
  expect(await jobs()).not.toContain('file')
})
