import { type Page, expect } from 'playwright/test'
import { afterSight, axeFindings } from '../../renderer/ui/gallery-page.ts'
import { type GalleryServer, serveGallery } from '../../renderer/ui/gallery-server.ts'
import { test } from '../support/page-test.ts'

let gallery: GalleryServer

test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(async () => {
  await gallery.close()
})

async function open(page: Page, width: number, height: number, query = ''): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height })
  await page.goto(`${gallery.address}/gallery.html?view=desk&state=approve-edit${query}`)
  await page.evaluate(() => document.fonts.ready)
  await afterSight(page)
}

const sizes = [
  [900, 600],
  [1079, 700],
  [1080, 700],
  [1440, 900],
  [1680, 1050],
  [1920, 1080],
] as const

/** Returns the x positions of the centers of all marks in the work pane. There is only one number if all marks are on one axis. */
async function axes(page: Page): Promise<readonly number[]> {
  const centres = await page.locator('main [data-mark]:visible').evaluateAll((marks) =>
    marks
      .filter((mark) => mark.closest('button') === null)
      .map((mark) => {
        const { x, width } = mark.getBoundingClientRect()
        return x + width / 2
      }),
  )
  expect(centres.length).toBeGreaterThan(6)
  return [...new Set(centres)]
}

/** Returns the boxes whose content is wider than the box. */
function spills(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[data-pane], [data-pane] > *, [data-tray] > *, footer')]
      .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth)
      .map((box) => `${box.tagName} ${box.className} ${box.scrollWidth} in ${box.clientWidth}`),
  )
}

for (const [width, height] of sizes) {
  test(`at ${width} px every mark is on one axis and nothing is wider than its pane, at both text sizes`, async ({ page }) => {
    for (const text of ['normal', 'large']) {
      await open(page, width, height, `&text=${text}`)
      expect(await spills(page)).toEqual([])
      expect(await axes(page)).toHaveLength(1)
    }
  })
}

test('panes fill the window, and the inspector’s drawer fits between the work pane’s header and the status strip', async ({ page }) => {
  await open(page, 1440, 900)
  const box = async (pane: string): Promise<readonly number[]> => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(`[data-pane=${pane}]`).boundingBox()) ?? {}
    return [x, y, width, height]
  }
  expect([await box('sessions'), await box('work'), await box('inspector')]).toEqual([
    [0, 0, 264, 876],
    [264, 0, 744, 876],
    [1008, 0, 432, 876],
  ])
  await page.setViewportSize({ width: 900, height: 700 })
  await page.getByRole('tablist', { name: 'Inspector, folded' }).getByRole('tab', { name: 'Plan' }).click()
  await expect(page.locator('[data-pane=inspector]')).toBeVisible()
  expect([await box('work'), await box('inspector')]).toEqual([
    [48, 0, 812, 676],
    [480, 40, 420, 636],
  ])
})

test('below 1080 px the time column is hidden, but the step number is shown', async ({ page }) => {
  await open(page, 1079, 700)
  await expect(page.locator('[data-step="1"] time')).toBeHidden()
  await expect(page.locator('[data-step="1"]')).toContainText('1')
  await page.setViewportSize({ width: 1080, height: 700 })
  await expect(page.locator('[data-step="1"] time')).toBeVisible()
})

test('below 1080 px the sessions open as a drawer, and Escape closes it and returns the focus', async ({ page }) => {
  await open(page, 900, 700)
  const sessions = page.locator('[data-pane=sessions]')
  const button = page.getByRole('button', { name: 'Sessions', exact: true })
  await expect(sessions).toBeHidden()
  await button.click()
  await expect(sessions).toBeVisible()
  await expect(sessions).toBeFocused()
  expect(await axeFindings(page, gallery.address)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(sessions).toBeHidden()
  await expect(button).toBeFocused()
})

test('a tab in the strip opens the inspector at that tab, and a click on the work pane closes it', async ({ page }) => {
  await open(page, 900, 700)
  const inspector = page.locator('[data-pane=inspector]')
  await expect(inspector).toBeHidden()
  await page.getByRole('tablist', { name: 'Inspector, folded' }).getByRole('tab', { name: 'Plan' }).click()
  await expect(inspector).toBeVisible()
  await expect(inspector.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true')
  const box = await inspector.boundingBox()
  expect(box?.width).toBe(420)
  await page.getByRole('heading', { name: 'March invoices land in February' }).click({ position: { x: 4, y: 4 } })
  await expect(inspector).toBeHidden()
})

test('the inspector’s content stays mounted when the inspector becomes a drawer and when it stops being one', async ({ page }) => {
  await open(page, 1440, 900)
  await page.evaluate(() => {
    const panel = document.getElementById('desk-panel')
    if (panel !== null) panel.dataset['here'] = 'yes'
  })
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.locator('#desk-panel')).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.locator('#desk-panel')).toBeVisible()
  await expect(page.locator('#desk-panel')).toHaveAttribute('data-here', 'yes')
})

test('dividers resize the panes and can be reset', async ({ page }) => {
  await open(page, 1440, 900)
  const pane = page.locator('[data-pane=inspector]')
  const divider = page.getByRole('separator', { name: 'Width of the inspector' })
  const width = async (): Promise<number> => Math.round((await pane.boundingBox())?.width ?? 0)
  expect(await width()).toBe(432)
  await divider.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(width).toBe(464)
  await divider.dblclick()
  await expect.poll(width).toBe(432)
})

test('a click on a button of the tray keeps the caret in the composer, and the tray’s key hints stay hidden', async ({ page }) => {
  await open(page, 1440, 900)
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.click()
  await page.keyboard.type('While you are at it')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(message).toBeFocused()
  await page.keyboard.type(', keep the error text')
  await expect(message).toHaveValue('While you are at it, keep the error text')
  await expect(page.getByText('Ctrl Del')).toBeHidden()
  await expect(page.getByText('to answer')).toBeVisible()
})

test('a focused tray shows its keys', async ({ page }) => {
  await open(page, 1440, 900)
  await page.getByRole('button', { name: 'Keep', exact: true }).focus()
  await expect(page.getByText('Ctrl Del')).toBeVisible()
  await expect(page.getByText('to answer')).toBeHidden()
})

test('the actions of a line appear on hover without shifting the layout', async ({ page }) => {
  await open(page, 1440, 900)
  const line = page.locator('[data-step="4"]')
  const effect = line.locator('.effect')
  const before = [await line.boundingBox(), await effect.boundingBox()]
  await line.hover()
  await expect(line.getByRole('button', { name: 'Undo this step' })).toBeVisible()
  expect([await line.boundingBox(), await effect.boundingBox()]).toEqual(before)
})

test('a mark shows its name on hover', async ({ page }) => {
  await open(page, 1440, 900)
  await page.locator('[data-step="5"] [data-mark=refused]').hover()
  await expect(page.locator('[popover=manual]', { hasText: 'Refused' })).toBeVisible()
  await page.mouse.wheel(0, 10)
  await expect(page.locator('[popover=manual]', { hasText: 'Refused' })).toBeHidden()
})

for (const [width, height] of [
  [900, 700],
  [1440, 900],
  [1920, 1080],
] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`screenshots of the desk, ${theme}, ${width} × ${height}`, async ({ page }, info) => {
      await open(page, width, height, `&theme=${theme}`)
      await info.attach(`desk-${theme}-${width}x${height}`, { body: await page.screenshot(), contentType: 'image/png' })
      expect(await axeFindings(page, gallery.address)).toEqual([])
    })
  }
}
