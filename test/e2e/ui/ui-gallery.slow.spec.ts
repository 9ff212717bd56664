import { type Locator, type Page, expect } from 'playwright/test'
import { axeFindings } from '../support/axe-findings.ts'
import { afterSight, watchPolicy } from '../../gallery/gallery-page.ts'
import { type PageServer, serveGallery } from '../../support/desk-harness/serve-page.ts'
import { test } from '../support/page-test.ts'
import { expectNoRunTogetherNames } from '../support/run-together.ts'

let gallery: PageServer

test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(async () => {
  await gallery.close()
})

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`${gallery.address}/gallery.html${query}`)
  await page.evaluate(() => document.fonts.ready)
}

/** Opens the live controls with a stopped clock. */
async function openStill(page: Page): Promise<void> {
  await page.clock.install({ time: new Date(2026, 10, 21, 14, 0, 0) })
  await open(page, '?view=controls')
  await page.clock.pauseAt(new Date(2026, 10, 21, 15, 0, 0))
}

const log = (page: Page): Promise<string[]> => page.locator('[data-log] > div').allTextContents()

test.describe('every control, under the content policy of the product', () => {
  test('the content policy refuses nothing, nothing is logged, and the fonts are our own', async ({ page }) => {
    const noise: string[] = []
    page.on('console', (message) => noise.push(message.text()))
    page.on('pageerror', (error) => noise.push(error.message))
    await watchPolicy(page)
    for (const view of ['', '?view=controls']) {
      await open(page, view)
      expect(await page.evaluate(() => window.violations)).toEqual([])
    }
    const fonts = await page.evaluate(() =>
      [...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family.replaceAll('"', '')),
    )
    expect(new Set(fonts)).toEqual(new Set(['Inter Variable', 'JetBrains Mono Variable']))
    expect(noise).toEqual([])
  })

  for (const view of ['', '?theme=dark', '?view=controls', '?view=controls&theme=dark', '?view=controls&theme=dark&text=large']) {
    test(`axe finds nothing at ${view === '' ? 'the sheet' : view}`, async ({ page }, info) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.setViewportSize({ width: 1440, height: 900 })
      await open(page, view)
      await afterSight(page)
      await info.attach(`gallery${view}`, { body: await page.screenshot({ fullPage: true }), contentType: 'image/png' })
      expect(await axeFindings(page)).toEqual([])
      await expectNoRunTogetherNames(page, view)
    })
  }

  test('the theme follows the system if set to do so, and the text size scales every token', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await open(page, '?theme=system&text=large')
    const root = page.locator('html')
    await expect(root).toHaveAttribute('data-theme', 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(root).toHaveAttribute('data-theme', 'light')
    const sizes = await page.evaluate(() => {
      const { fontSize, lineHeight } = getComputedStyle(document.body)
      return [fontSize, lineHeight]
    })
    expect(sizes).toEqual(['14.95px', '23px'])
  })

  test('with reduced motion the running ring does not move, but a hold takes just as long', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '')
    const ring = page.locator('[data-dot=running]').first()
    expect(await ring.evaluate((dot) => getComputedStyle(dot).animationName)).toBe('none')
    // The clock is stopped, so the hold lasts until the test has checked it.
    await openStill(page)
    await page.getByRole('button', { name: 'Hold to sign and run' }).hover()
    await page.mouse.down()
    const line = page.getByRole('button', { name: 'Hold to sign and run' }).locator('> span').last()
    await expect.poll(() => line.evaluate((drawn) => getComputedStyle(drawn).transitionDuration)).toBe('0.9s')
  })
})

test.describe('signing', () => {
  const sign = (page: Page): Locator => page.getByRole('region', { name: 'Signing' }).locator('[data-armed]')

  test('the button arms exactly 300 ms after it is fully visible', async ({ page }) => {
    await openStill(page)
    await page.getByRole('button', { name: 'Bring the tray' }).click()
    await afterSight(page)
    await page.clock.runFor(299)
    await expect(sign(page)).toHaveAttribute('data-armed', 'false')
    await expect(sign(page).locator('[data-mark]')).toHaveAttribute('data-mark', 'proposed')
    await sign(page).click({ force: true })
    expect(await log(page)).toEqual([])
    await page.clock.runFor(1)
    await expect(sign(page)).toHaveAttribute('data-armed', 'true')
    await expect(sign(page).locator('[data-mark]')).toHaveAttribute('data-mark', 'signed')
  })

  test('the button disarms when scrolled out of view, and arms again later', async ({ page }) => {
    await openStill(page)
    await page.getByRole('button', { name: 'Bring the tray' }).click()
    await afterSight(page)
    await page.clock.runFor(300)
    await expect(sign(page)).toHaveAttribute('data-armed', 'true')
    await page.setViewportSize({ width: 1200, height: 40 })
    await expect(sign(page)).toHaveAttribute('data-armed', 'false')
    await page.setViewportSize({ width: 1200, height: 900 })
    await afterSight(page)
    await expect(sign(page)).toHaveAttribute('data-armed', 'false')
    await page.clock.runFor(300)
    await expect(sign(page)).toHaveAttribute('data-armed', 'true')
  })

  test('the button signs once however often it is pressed, and again only if the save has failed', async ({ page }) => {
    await openStill(page)
    await page.getByRole('button', { name: 'Bring the tray' }).click()
    await afterSight(page)
    await page.clock.runFor(300)
    await sign(page).dblclick()
    await sign(page).press('Enter')
    await expect(sign(page)).toHaveAttribute('aria-busy', 'true')
    await expect(sign(page)).toHaveAccessibleName('Writing')
    expect(await log(page)).toEqual(['signed'])
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    await page.getByRole('button', { name: 'Fail' }).click()
    await expect(sign(page)).not.toHaveAttribute('aria-busy', 'true')
    await sign(page).click()
    expect(await log(page)).toEqual(['signed', 'signed'])
  })

  test('the signature and its time are shown for 400 ms before the tray may close', async ({ page }) => {
    await openStill(page)
    await page.getByRole('button', { name: 'Bring the tray' }).click()
    await page.getByRole('button', { name: 'Succeed' }).click()
    await expect(page.getByText('Signed 14:05:02')).toBeVisible()
    await page.clock.runFor(399)
    expect(await log(page)).toEqual([])
    await page.clock.runFor(1)
    await expect.poll(() => log(page)).toEqual(['signature was shown'])
  })

  test('a busy button keeps its place and width', async ({ page }) => {
    await open(page, '?view=controls')
    const stop = page.getByRole('button', { name: 'Stop' })
    const next = page.getByRole('button', { name: 'Undo turn' })
    const before = [await stop.boundingBox(), await next.boundingBox()]
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    const busy = page.getByRole('button', { name: 'Stopping' })
    await expect(busy).toHaveAttribute('aria-busy', 'true')
    expect([await busy.boundingBox(), await next.boundingBox()]).toEqual(before)
    await busy.click({ force: true })
    expect(await log(page)).toEqual([])
  })

  test('a disabled button can be focused and shows why it is disabled', async ({ page }) => {
    await open(page, '?view=controls')
    const undo = page.getByRole('button', { name: 'Undo turn' })
    await expect(undo).toHaveAccessibleDescription('Nothing has changed')
    await page.getByRole('button', { name: 'Stop' }).focus()
    await page.keyboard.press('Tab')
    await expect(undo).toBeFocused()
    await expect(page.locator('[popover=manual]', { hasText: 'Nothing has changed' })).toBeVisible()
    await page.keyboard.press('Enter')
    expect(await log(page)).toEqual([])
  })
})

test.describe('holding', () => {
  const hold = (page: Page): Locator => page.getByRole('button', { name: 'Hold to sign and run' })

  test('a hold of 900 ms signs once, but a hold of 899 ms signs nothing', async ({ page }) => {
    await openStill(page)
    await hold(page).hover()
    await page.mouse.down()
    await page.clock.runFor(899)
    await page.mouse.up()
    await page.clock.runFor(5000)
    expect(await log(page)).toEqual([])
    await page.mouse.down()
    await page.clock.runFor(900)
    await expect.poll(() => log(page)).toEqual(['held'])
    await page.clock.runFor(5000)
    await page.mouse.up()
    expect(await log(page)).toEqual(['held'])
  })

  test('leaving the button cancels the hold', async ({ page }) => {
    await openStill(page)
    await hold(page).hover()
    await page.mouse.down()
    await page.clock.runFor(500)
    await page.mouse.move(5, 5)
    await page.clock.runFor(5000)
    expect(await log(page)).toEqual([])
  })

  test('holding Space or Enter works like holding the pointer, and Escape cancels', async ({ page }) => {
    await openStill(page)
    await hold(page).focus()
    for (const key of ['Space', 'Enter']) {
      await page.keyboard.down(key)
      await page.clock.runFor(900)
      await page.keyboard.up(key)
    }
    await expect.poll(() => log(page)).toEqual(['held', 'held'])
    await page.keyboard.down('Space')
    await page.clock.runFor(500)
    await page.keyboard.press('Escape')
    await page.clock.runFor(5000)
    expect(await log(page)).toEqual(['held', 'held'])
  })

  test('a key that was pressed before the button got the focus does not hold the button', async ({ page }) => {
    await openStill(page)
    await page.keyboard.down('Enter')
    await hold(page).focus()
    await page.keyboard.down('Enter')
    await page.clock.runFor(5000)
    expect(await log(page)).toEqual([])
  })

  test('losing the window’s focus cancels the hold', async ({ page }) => {
    await openStill(page)
    await hold(page).focus()
    await page.keyboard.down('Space')
    await page.clock.runFor(500)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await page.clock.runFor(5000)
    expect(await log(page)).toEqual([])
  })

  test('a button that is not armed cannot be held', async ({ page }) => {
    await openStill(page)
    await page.getByRole('button', { name: 'Disarm' }).click()
    await hold(page).hover()
    await page.mouse.down()
    await page.clock.runFor(5000)
    expect(await log(page)).toEqual([])
  })
})
