import type { Page, TestInfo } from 'playwright/test'
import { call, message, text } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

/** A window that is 1440 px wide has a width of 720 px at 200 % zoom. */
const SIZES = [
  { width: 899, height: 700 },
  { width: 760, height: 700 },
  { width: 720, height: 450 },
  { width: 700, height: 500 },
] as const

/**
 * Returns texts and controls that extend beyond the right edge of the window, and words that are wrapped into a column of single letters.
 */
async function misplaced(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const words = node.textContent?.trim() ?? ''
      if (!parent || words.length < 4 || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1) continue
      const size = Number.parseFloat(getComputedStyle(parent).fontSize)
      const isClipped = parent.closest('[class*=clip], pre, [data-scrolls]') !== null
      const outer = parent.getBoundingClientRect()
      if (!isClipped && outer.left > innerWidth - 8) found.push(`outside: ${words.slice(0, 40)}`)
      // The tabs of the folded inspector are vertical on purpose.
      if (getComputedStyle(parent).writingMode !== 'horizontal-tb') continue
      if (box.width < size * 2.5 && box.height > size * 4) found.push(`vertical: ${words.slice(0, 40)}`)
    }
    for (const button of document.querySelectorAll('button, input, textarea')) {
      const { left, right, width } = button.getBoundingClientRect()
      if (width > 1 && button.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && (right > innerWidth + 1 || left < -1))
        found.push(`cut off: ${button.getAttribute('aria-label') ?? button.textContent}`)
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    return found
  })
}

async function fitsEverywhere(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await keepPictures(page, info, `${name}-${size.width}`)
    expect(await misplaced(page), `${name} at ${size.width} × ${size.height}`).toEqual([])
  }
}

test('U7: on every page nothing is cut off and no word is broken in the middle at 700 px and at 200 % zoom', async ({
  page,
  opened,
}, info) => {
  await opened(
    () =>
      message([
        text('A step.'),
        call('write_file', { file_path: 'src/one/of/many/folders/converter.ts', content: 'a\n' }),
        call('shell', { command: 'npm test' }),
      ]),
    'Convert all invoices of the year to Euro',
  )
  await armed(page).waitFor()
  await fitsEverywhere(page, info, 'desk')
  await page.keyboard.press('Control+k')
  await fitsEverywhere(page, info, 'palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await fitsEverywhere(page, info, 'settings')
  await page
    .getByRole('combobox', { name: 'Section' })
    .or(page.getByRole('button', { name: /^Section/ }))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Add a key for OpenAI', exact: true }).click()
  await fitsEverywhere(page, info, 'settings-key')
  await page.setViewportSize({ width: 700, height: 500 })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+D')
  await fitsEverywhere(page, info, 'review')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+o')
  await page.getByRole('combobox', { name: 'Path of the folder' }).waitFor()
  await fitsEverywhere(page, info, 'folder')
})

test('U7: the start page and the trust question fit into 700 px', async ({ page, desk, places }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
  await fitsEverywhere(page, info, 'first-run')
  await page.getByRole('button', { name: 'Open a folder' }).last().press('Enter')
  const path = page.getByRole('combobox', { name: 'Path of the folder' })
  await path.fill(places.project)
  await path.press('Enter')
  await page.getByRole('button', { name: 'Trust and open' }).waitFor()
  await fitsEverywhere(page, info, 'trust')
})
