import { type Locator, type Page, expect } from 'playwright/test'
import { type PageServer, serveGallery } from '../../support/desk-harness/serve-page.ts'
import { test } from '../support/page-test.ts'

let gallery: PageServer

test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(async () => {
  await gallery.close()
})
test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.goto(`${gallery.address}/gallery.html?view=controls`)
  await page.evaluate(() => document.fonts.ready)
})

const log = (page: Page): Promise<string[]> => page.locator('[data-log] > div').allTextContents()

test.describe('a menu', () => {
  const button = (page: Page): Locator => page.getByRole('button', { name: 'Step 8' })
  const item = (page: Page, name: string): Locator => page.getByRole('menuitem', { name })

  test('arrow keys open it and wrap around, a letter jumps to an item, and Enter chooses and returns the focus', async ({ page }) => {
    await button(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(item(page, 'Undo this step')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(item(page, 'Redo')).toBeFocused()
    await page.keyboard.press('f')
    await expect(item(page, 'Fork from here')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button(page)).toBeFocused()
    expect(await log(page)).toEqual(['fork'])
  })

  test('Escape closes it without a choice and returns the focus', async ({ page }) => {
    await button(page).click()
    await expect(item(page, 'Undo this step')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(button(page)).toBeFocused()
    expect(await log(page)).toEqual([])
  })

  test('its button, or a click elsewhere, closes it again', async ({ page }) => {
    await button(page).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await button(page).click()
    await expect(page.getByRole('menu')).toBeHidden()
    await button(page).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.mouse.click(600, 880)
    await expect(page.getByRole('menu')).toBeHidden()
  })

  test('a disabled item is in the list, can have the focus, and cannot be chosen', async ({ page }) => {
    await button(page).click()
    await expect(item(page, 'Undo this step')).toBeFocused()
    await page.keyboard.press('End')
    await expect(item(page, 'Redo nothing undone')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    expect(await log(page)).toEqual([])
  })

  test('the open menu is completely on screen next to its button', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await button(page).click()
    const menu = await page.getByRole('menu').boundingBox()
    const opener = await button(page).boundingBox()
    if (menu === null || opener === null) throw new Error('not drawn')
    expect(Math.abs(menu.x - opener.x)).toBeLessThan(1)
    expect(menu.y - (opener.y + opener.height)).toBeCloseTo(4, 0)
  })
})

test.describe('a select', () => {
  const box = (page: Page): Locator => page.getByRole('combobox', { name: 'Model' })

  test('keeps the focus on itself while keys move through its list', async ({ page }) => {
    await box(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(box(page)).toBeFocused()
    const active = await box(page).getAttribute('aria-activedescendant')
    await expect(page.locator(`[id="${active ?? ''}"]`)).toContainText('claude-opus-4-5')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(box(page)).toHaveText('claude-opus-4-5')
    expect(await log(page)).toEqual(['model opus'])
  })

  test('Space opens it, and Space chooses the active option', async ({ page }) => {
    await box(page).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('listbox')).toBeVisible()
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await expect(page.getByRole('listbox')).toBeHidden()
    expect(await log(page)).toEqual(['model qwen'])
  })

  test('typing chooses an option without opening it', async ({ page }) => {
    await box(page).focus()
    await page.keyboard.press('q')
    await expect(box(page)).toHaveText('qwen3-coder:30b')
    await expect(page.getByRole('listbox')).toBeHidden()
  })

  test('a disabled option shows why it is disabled and cannot be chosen', async ({ page }) => {
    await box(page).click()
    const gpt = page.getByRole('option', { name: 'gpt-5.1' })
    await expect(gpt).toContainText('Add a key for OpenAI first')
    await gpt.click({ force: true })
    await expect(page.getByRole('listbox')).toBeVisible()
    expect(await log(page)).toEqual([])
  })

  test('Escape changes nothing', async ({ page }) => {
    await box(page).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(box(page)).toBeFocused()
    expect(await log(page)).toEqual([])
  })
})

test('tabs are a single tab stop, and arrow keys, Home and End select and show a tab', async ({ page }) => {
  const tab = (name: string): Locator => page.getByRole('tab', { name })
  await tab('Changes').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab('Terminal')).toBeFocused()
  await expect(page.getByRole('tabpanel')).toHaveText('This is terminal.')
  await page.keyboard.press('End')
  await expect(tab('Plan')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(tab('Changes')).toBeFocused()
  expect(await page.getByRole('tab').evaluateAll((all) => all.map((one) => one.getAttribute('tabindex')))).toEqual(['0', '-1', '-1'])
})

test('choosing a tab or a segment does not shift the others', async ({ page }) => {
  const places = (): Promise<number[]> =>
    page.locator('[role=tab], [role=radiogroup] > label').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
  const before = await places()
  await page.getByRole('tab', { name: 'Plan' }).click()
  await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('radio', { name: 'Yes, this session' }).check()
  expect(await places()).toEqual(before)
})

test('segments are a single tab stop, and arrow keys choose a segment', async ({ page }) => {
  await page.getByRole('radio', { name: 'Ask again' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Yes, always in this project' })).toBeChecked()
  expect(await log(page)).toEqual(['next time session', 'next time always'])
})

test.describe('a divider between panes', () => {
  const divider = (page: Page): Locator => page.getByRole('separator', { name: 'Width of sessions' })

  test('is moved by arrows within its limits, and reset by Enter', async ({ page }) => {
    await divider(page).focus()
    for (const key of ['ArrowRight', 'Shift+ArrowRight', 'End', 'ArrowRight', 'Home', 'Enter']) await page.keyboard.press(key)
    expect(await log(page)).toEqual(['width 272', 'width 304', 'width 400', 'width 400', 'width 220', 'width reset'])
    await expect(divider(page)).toHaveAttribute('aria-valuenow', '264')
  })

  test('follows the pointer, is saved once, when the pointer is released, and is reset by a double click', async ({ page }) => {
    const at = await divider(page).boundingBox()
    if (at === null) throw new Error('not drawn')
    const y = at.y + 20
    await page.mouse.move(at.x, y)
    await page.mouse.down()
    await page.mouse.move(at.x + 20, y)
    await page.mouse.move(at.x + 36, y)
    await page.mouse.up()
    await expect(divider(page)).toHaveAttribute('aria-valuenow', '300')
    expect(await log(page)).toEqual(['width 300'])
    await page.mouse.dblclick(at.x + 36, y)
    await expect(divider(page)).toHaveAttribute('aria-valuenow', '264')
    expect(await log(page)).toEqual(['width 300', 'width reset'])
  })
})

test('a running clock counts whole seconds', async ({ page }) => {
  await page.clock.install({ time: new Date(2026, 10, 21, 14, 0, 0) })
  await page.reload()
  await page.clock.pauseAt(new Date(2026, 10, 21, 15, 0, 0))
  await page.getByRole('button', { name: 'Start the clock' }).click()
  const clock = page.getByRole('region', { name: 'Timing' }).locator('time')
  await page.clock.runFor(999)
  await expect(clock).toHaveText('0:00')
  await page.clock.runFor(1)
  await expect(clock).toHaveText('0:01')
  await page.clock.runFor(61_000)
  await expect(clock).toHaveText('1:02')
})
