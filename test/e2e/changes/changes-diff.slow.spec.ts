import { type Locator, type Page, expect } from 'playwright/test'
import { watchPolicy } from '../../gallery/gallery-page.ts'
import { expectSamePixels } from '../support/pictures.ts'
import { type PageServer, serveSamples } from '../../support/desk-harness/serve-page.ts'
import { test } from '../support/page-test.ts'

let samples: PageServer

test.beforeAll(async () => {
  samples = await serveSamples()
})
test.afterAll(async () => {
  await samples.close()
})

const rows = (page: Page): Locator => page.locator('[data-line]')
/** The first bold keyword. The highlighter draws it after the plain lines. */
const coloured = (page: Page): Locator => page.locator('[data-line] span[style*="bold"]').first()

async function show(page: Page, query: string, address = samples.address): Promise<void> {
  await watchPolicy(page)
  await page.goto(`${address}/samples.html?${query}`)
  await page.evaluate(() => document.fonts.ready)
}

/**
 * Returns, for the first row of this kind, the computed colors of its background and of its sign, and the number of different colors in its
 * text.
 */
async function paint(page: Page, type: string): Promise<{ readonly back: string; readonly sign: string; readonly colours: number }> {
  return page
    .locator(`[data-line][data-line-type="${type}"]`)
    .first()
    .evaluate((row) => ({
      back: getComputedStyle(row).backgroundColor,
      sign: getComputedStyle(row, '::before').color,
      colours: new Set([...row.querySelectorAll('span')].map((span) => getComputedStyle(span).color)).size,
    }))
}

for (const [name, query] of [
  ['stacked in the tray', 'show=tray&files=edit'],
  ['side by side', 'show=split&files=edit'],
  ['dark', 'show=tray&files=edit&theme=dark'],
] as const) {
  test(`a diff (${name}) is drawn identically, pixel for pixel, with and without the content security policy`, async ({
    page,
    context,
  }) => {
    await show(page, query)
    await expect(coloured(page)).toBeVisible()
    const other = await context.newPage()
    await show(other, query, samples.open)
    await expect(coloured(other)).toBeVisible()
    await expect.poll(async () => (await paint(page, 'change-addition')).colours).toBeGreaterThan(1)
    await expectSamePixels(page, other)
    expect(await page.evaluate(() => window.violations)).toEqual([])
    const comes = await paint(page, 'change-addition')
    const goes = await paint(page, 'change-deletion')
    expect(new Set([comes.back, goes.back, comes.sign, goes.sign]).size).toBe(4)
  })
}

test('plus and minus signs are in the mark column, code is in the body column, and both line numbers are to the left of these columns', async ({
  page,
}) => {
  await show(page, 'show=tray&files=edit')
  await expect(coloured(page)).toBeVisible()
  const places = await page.evaluate(() => {
    const box = (element: Element | null | undefined): DOMRect => element?.getBoundingClientRect() ?? new DOMRect()
    const mark = box(document.querySelector('[data-tray] header svg'))
    const path = box(document.querySelector('[data-tray] h3'))
    const root = document.querySelector('diffs-container')?.shadowRoot
    const row = root?.querySelector('[data-line-type="change-addition"][data-line]')
    const context = root?.querySelector('[data-line-type="context"][data-column-number]')
    const sign = row ? getComputedStyle(row, '::before') : null
    const left = box(row).left + Number.parseFloat(sign?.left ?? '') + Number.parseFloat(sign?.width ?? '') / 2
    return {
      axis: mark.left + mark.width / 2 - left,
      body: path.left - (box(row).left + Number.parseFloat(row ? getComputedStyle(row).paddingLeft : '')),
      old: context instanceof HTMLElement ? context.dataset['old'] : null,
      fresh: context?.textContent,
      sign: sign?.content,
    }
  })
  expect(places).toEqual({ axis: 0, body: 0, old: '1', fresh: '1', sign: '"+" / "Added, line " "2" ": "' })
})

test('a change without a line diff is described in text, and a missing final newline is shown', async ({ page }) => {
  await show(page, 'show=tray&files=kinds')
  for (const words of [
    'Not text. 12 kB before, 14 kB after.',
    'Too large to be shown as lines. 21 MB before, 24 MB after.',
    'Only line endings differ: LF becomes CRLF in 3 lines. The text is the same.',
    'No newline at end of file',
  ])
    await expect(page.getByText(words)).toBeAttached()
  await expect(page.locator('h3', { hasText: 'new.py' }).locator('..')).toContainText('new')
  await expect(page.locator('h3', { hasText: 'gone.css' }).locator('..')).toContainText('deleted')
})

test('characters that are invisible or reorder the line are shown by name', async ({ page }) => {
  await show(page, 'show=tray&files=kinds')
  const row = page.locator('[data-line]', { hasText: 'admin only' })
  await expect(row.locator('[data-hidden]')).toHaveText(['U+202E', 'U+2066', 'U+2069', 'U+2066'])
  await expect(page.locator('[data-line]', { hasText: 'width' }).locator('[data-hidden]')).toHaveText(['U+200B'])
})

test('markup in a file is shown as text, and nothing in it is loaded or run', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await show(page, 'show=tray&files=kinds')
  await page.locator('[data-tray] [role=group]').evaluate((body) => (body.scrollTop = body.scrollHeight))
  const row = page.locator('[data-line]', { hasText: 'onerror' })
  await expect(row).toContainText('<img src=x onerror="window.injected = true"><script>window.injected = true</script>')
  expect(await page.evaluate(() => 'injected' in window)).toBe(false)
  expect(await row.locator('img, script').count()).toBe(0)
  expect(requests.filter((url) => url.endsWith('/x'))).toEqual([])
})

test('of 5,000 lines with 200 changes only the lines near the viewport are in the page', async ({ page }) => {
  await show(page, 'show=tray&files=long')
  await expect(coloured(page)).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(400)
  await page.locator('[data-tray] [role=group]').evaluate((body) => (body.scrollTop = body.scrollHeight))
  await expect(page.locator('[data-line]', { hasText: 'value4978:' }).first()).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(400)
})

test('unchanged lines are unfolded with the pointer or the keyboard', async ({ page }) => {
  await show(page, 'show=stacked&files=edit')
  await expect(coloured(page)).toBeVisible()
  const fold = page.getByRole('button', { name: 'Show 7 unchanged lines' })
  await fold.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-line]', { hasText: 'readonly strict' })).toBeVisible()
  await expect(fold).toHaveCount(0)
})

test('screen readers announce each changed line as added or removed, with its number', async ({ page }) => {
  await show(page, 'show=stacked&files=edit')
  await expect(page.locator('[data-line]', { hasText: 'daysInMonth } from' })).toBeVisible()
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  const said = nodes.flatMap(({ role, name }) => (role?.value === 'StaticText' ? [String(name?.value)] : []))
  expect(said).toContain('Added, line 2: ')
  expect(said).toContain('Removed, line 15: ')
})
