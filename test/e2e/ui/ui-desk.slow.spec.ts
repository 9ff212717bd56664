import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { afterSight } from '../../gallery/gallery-page.ts'
import { call, calls, message, say, text } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, composer, ledger, sign, tray } from '../support/on-the-desk.ts'
import { withTheme } from '../support/pictures.ts'
import { settled } from '../support/settled.ts'

const BEFORE = Array.from({ length: 30 }, (_, at) => `const line${at} = ${at}\n`).join('')
const PATCH = [
  '*** Begin Patch',
  '*** Update File: src/dates/parse-date.ts',
  ...[5, 20].map((at) => `@@\n const line${at - 1} = ${at - 1}\n-const line${at} = ${at}\n+const line${at} = ${at}00`),
  '*** End Patch',
].join('\n')
const SCRIPT = [
  message([text('A day without a time is read as midnight UTC.'), call('read_file', { file_path: 'src/dates/parse-date.ts' })]),
  calls(call('write_file', { file_path: 'a.txt', content: 'one\n' })),
  calls(call('write_file', { file_path: 'b.txt', content: 'two\n' })),
  calls(call('apply_patch', { patch: PATCH })),
  say('Done.'),
]

test.use({ contextOptions: { reducedMotion: 'reduce' } })

// Each test begins with a read, a signed edit and a refused one in the ledger, and a patch of two hunks in the tray.
test.beforeEach(async ({ page, places, put, opened }, info) => {
  if (info.title.includes('large text')) await writeFile(join(places.data, 'settings.json'), JSON.stringify({ textSize: 'large' }))
  await put('src/dates/parse-date.ts', BEFORE)
  await opened(SCRIPT, 'March invoices land in February')
  await sign(page, 'a.txt')
  await expect(tray(page)).toContainText('b.txt')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(tray(page)).toContainText('parse-date.ts')
  await armed(page).waitFor()
})

async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await settled(page)
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

for (const words of ['normal text', 'large text'])
  test(`with ${words} every mark is on one axis and nothing is wider than its pane, from 900 to 1920 px`, async ({ page }) => {
    for (const [width, height] of sizes) {
      await resize(page, width, height)
      expect.soft(await spills(page), `at ${width} px`).toEqual([])
      expect.soft(await axes(page), `at ${width} px`).toHaveLength(1)
    }
  })

test('panes fill the window, and the inspector’s drawer fits between the work pane’s header and the status strip', async ({ page }) => {
  const box = async (pane: string): Promise<readonly number[]> => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(`[data-pane=${pane}]`).boundingBox()) ?? {}
    return [x, y, width, height]
  }
  expect([await box('sessions'), await box('work'), await box('inspector')]).toEqual([
    [0, 0, 264, 876],
    [264, 0, 744, 876],
    [1008, 0, 432, 876],
  ])
  await resize(page, 900, 700)
  await page.getByRole('tablist', { name: 'Inspector, folded' }).getByRole('tab', { name: 'Plan' }).click()
  await expect(page.locator('[data-pane=inspector]')).toBeVisible()
  expect([await box('work'), await box('inspector')]).toEqual([
    [48, 0, 812, 676],
    [480, 40, 420, 636],
  ])
})

test('below 1080 px the time column is hidden, but the step number is shown', async ({ page }) => {
  const step = ledger(page).locator('[data-step="1"]')
  await resize(page, 1079, 700)
  await expect(step.locator('time')).toBeHidden()
  await expect(step).toContainText('1')
  await resize(page, 1080, 700)
  await expect(step.locator('time')).toBeVisible()
})

test('below 1080 px the sessions open as a drawer that has the focus, and Escape closes it and returns the focus', async ({ page }) => {
  await resize(page, 900, 700)
  const sessions = page.locator('[data-pane=sessions]')
  const button = page.getByRole('button', { name: 'Sessions, 1 needs you' })
  await expect(sessions).toBeHidden()
  await button.click()
  await expect(sessions).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(sessions).toBeHidden()
  await expect(button).toBeFocused()
})

test('a tab in the strip opens the inspector at that tab, and a click on the work pane closes it', async ({ page }) => {
  await resize(page, 900, 700)
  const inspector = page.locator('[data-pane=inspector]')
  await expect(inspector).toBeHidden()
  await page.getByRole('tablist', { name: 'Inspector, folded' }).getByRole('tab', { name: 'Plan' }).click()
  await expect(inspector.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true')
  await page
    .getByRole('heading', { name: 'March invoices land in February' })
    .first()
    .click({ position: { x: 4, y: 4 } })
  await expect(inspector).toBeHidden()
})

test('the inspector’s content stays mounted when the inspector becomes a drawer and when it stops being one', async ({ page }) => {
  const panel = page.locator('[data-pane=inspector] [role=tabpanel]')
  await panel.evaluate((element) => element.setAttribute('data-here', 'yes'))
  await resize(page, 900, 700)
  await expect(panel).toBeHidden()
  await resize(page, 1440, 900)
  await expect(panel).toBeVisible()
  await expect(panel).toHaveAttribute('data-here', 'yes')
})

test('dividers resize the panes and can be reset', async ({ page }) => {
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

test('a click on a button of the tray keeps the caret in the composer, and only a focused tray shows its keys', async ({ page }) => {
  const hunk = tray(page).locator('[data-hunk]').last()
  await composer(page).click()
  await page.keyboard.type('While you are at it')
  await hunk.getByRole('button', { name: /^Refuse/ }).click()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type(', keep the error text')
  await expect(composer(page)).toHaveValue('While you are at it, keep the error text')
  await expect(tray(page).getByText('Ctrl Del')).toBeHidden()
  await expect(tray(page).getByText('to answer')).toBeVisible()
  await hunk.getByRole('button', { name: /^Keep/ }).focus()
  await expect(tray(page).getByText('Ctrl Del')).toBeVisible()
  await expect(tray(page).getByText('to answer')).toBeHidden()
})

test('the actions of a line appear on hover without shifting the layout, and its mark shows its name', async ({ page }) => {
  const line = ledger(page).locator('[data-step]', { hasText: 'a.txt' })
  const effect = line.locator('.effect').first()
  const before = [await line.boundingBox(), await effect.boundingBox()]
  await line.hover()
  await expect(line.getByRole('button', { name: /^Undo/ })).toBeVisible()
  expect([await line.boundingBox(), await effect.boundingBox()]).toEqual(before)
  await ledger(page).locator('[data-mark=refused]').hover()
  await expect(page.locator('[popover=manual]', { hasText: 'Refused' })).toBeVisible()
  await page.mouse.wheel(0, 10)
  await expect(page.locator('[popover=manual]', { hasText: 'Refused' })).toBeHidden()
})

test('axe finds nothing in a small, a usual and a large window, light and dark', async ({ page }, info) => {
  for (const [width, height] of [
    [900, 700],
    [1440, 900],
    [1920, 1080],
  ] as const) {
    await resize(page, width, height)
    for (const theme of ['light', 'dark'] as const)
      await withTheme(page, theme, async () => {
        await info.attach(`desk-${theme}-${width}x${height}`, { body: await page.screenshot(), contentType: 'image/png' })
        expect(await axeFindings(page), `${theme}, ${width} px`).toEqual([])
      })
  }
})
