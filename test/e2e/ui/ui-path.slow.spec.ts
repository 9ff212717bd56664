import { type Locator, expect } from 'playwright/test'
import { type PageServer, serveGallery } from '../../support/desk-harness/serve-page.ts'
import { test } from '../support/page-test.ts'

const PATH = 'src/invoices/periods/dates-west-of-greenwich.test.ts'

let gallery: PageServer

test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(async () => {
  await gallery.close()
})

test.beforeEach(async ({ page }) => {
  await page.goto(`${gallery.address}/gallery.html`)
  await page.evaluate(() => document.fonts.ready)
})

/** Returns the text that is drawn after the ellipsis. Null if the entire path fits. */
const drawnEnd = (row: Locator): Promise<string | null> => row.locator('> span').getAttribute('data-end')

test('only the end of a path is drawn if it does not fit, even after the width has changed', async ({ page }) => {
  const rooms = page.locator('main > [data-theme=light] [data-path-room]')
  const ends = (): Promise<(string | null)[]> => rooms.all().then((all) => Promise.all(all.map(drawnEnd)))
  await expect.poll(ends).toEqual([null, PATH.slice(-20), PATH.slice(-18), PATH.slice(-10)])
  const [wide, , narrow] = await rooms.all()
  await wide?.evaluate((room) => room.style.setProperty('width', '200px'))
  await narrow?.evaluate((room) => room.style.setProperty('width', '480px'))
  await expect.poll(ends).toEqual([PATH.slice(-18), PATH.slice(-20), null, PATH.slice(-10)])
})

test('a shortened path does not move, and its end is completely visible', async ({ page }) => {
  const overflow = await page.locator('main > [data-theme=light] [data-path-room="200"]').evaluate((room) => {
    const path = room.firstElementChild
    const text = path?.firstElementChild
    if (!path || !text) throw new Error('no path')
    const { width, marginInlineEnd } = getComputedStyle(path, '::after')
    const end = Number.parseFloat(width) + Number.parseFloat(marginInlineEnd)
    return {
      inside: path.getBoundingClientRect().width <= 200,
      full: Math.round(text.getBoundingClientRect().width + end),
      lines: room.clientHeight,
    }
  })
  expect(overflow).toEqual({ inside: true, full: 200, lines: 20 })
})

test('selection and screen readers get the complete path exactly once', async ({ page }) => {
  const room = page.locator('main > [data-theme=light] [data-path-room="120"]')
  const selected = await room.evaluate((element) => {
    const selection = getSelection()
    selection?.selectAllChildren(element)
    return selection?.toString()
  })
  expect(selected).toBe(PATH)
  await expect(room).toMatchAriaSnapshot(`- text: ${PATH}`)
})
