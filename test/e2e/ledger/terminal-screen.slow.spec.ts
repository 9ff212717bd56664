import { type Page, expect } from 'playwright/test'
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

const ESC = '\u001b'
const COLOURS = `${ESC}[1mTests:${ESC}[0m ${ESC}[31m1 failed${ESC}[0m, ${ESC}[32m35 passed${ESC}[0m, 36 total\r\n${ESC}[90mTime:${ESC}[0m 2.614 s`
const REPLAY = { kind: 'replay', columns: 120, rows: 30, data: COLOURS, watcher: 'one' } as const

async function open(page: Page, query = '', address = samples.address): Promise<void> {
  await watchPolicy(page)
  await page.goto(`${address}/samples.html?show=terminal${query}`)
  await page.waitForFunction(() => 'hand' in window)
}

async function replay(page: Page): Promise<void> {
  await page.evaluate((item) => window.hand(item), REPLAY)
  await expect(page.locator('.xterm-rows')).toContainText('36 total')
}

/** Returns the color in which these words are drawn. */
async function colourOf(page: Page, words: string): Promise<string> {
  return page
    .locator('.xterm-rows span', { hasText: words })
    .first()
    .evaluate((span) => getComputedStyle(span).color)
}

for (const theme of ['light', 'dark'])
  test(`a terminal (${theme}) uses our colors and looks identical, pixel for pixel, with and without the content security policy`, async ({
    page,
    context,
  }) => {
    await open(page, `&theme=${theme}`)
    await replay(page)
    await page.evaluate(() => window.hand({ kind: 'exit', exitCode: 1 }))
    const other = await context.newPage()
    await open(other, `&theme=${theme}`, samples.open)
    await replay(other)
    await other.evaluate(() => window.hand({ kind: 'exit', exitCode: 1 }))
    await expect.poll(() => page.evaluate(() => window.told.at(-1))).toBe('state ended')
    await expect.poll(() => other.evaluate(() => window.told.at(-1))).toBe('state ended')
    await expectSamePixels(page, other)
    expect(await page.evaluate(() => window.violations)).toEqual([])
    const token = (name: string): Promise<string> =>
      page.evaluate((property) => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.color = `var(${property})`
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }, name)
    expect(await colourOf(page, '1 failed')).toBe(await token('--red'))
    expect(await colourOf(page, '35 passed')).toBe(await token('--green'))
  })

test('live characters are acknowledged once they are drawn, and replayed characters are never acknowledged', async ({ page }) => {
  await open(page)
  await replay(page)
  await page.evaluate(() => window.hand({ kind: 'data', data: 'x'.repeat(70_000) }))
  await page.evaluate(() => window.hand({ kind: 'data', data: 'äöü€😀' }))
  const acknowledged = (watcher: string): Promise<number> =>
    page.evaluate(
      (name) =>
        window.told
          .flatMap((line) => (line.startsWith(`acknowledged ${name} `) ? [Number(line.split(' ')[2])] : []))
          .reduce((a, b) => a + b, 0),
      watcher,
    )
  await expect.poll(() => acknowledged('one')).toBe(70_006)
  await page.evaluate((item) => window.hand({ ...item, watcher: 'two' }), REPLAY)
  await page.evaluate(() => window.hand({ kind: 'data', data: 'abc' }))
  await expect.poll(() => acknowledged('two')).toBe(3)
})

test('typed text goes to a running command, and nowhere after the command has ended', async ({ page }) => {
  await open(page)
  await replay(page)
  const typed = (): Promise<string[]> => page.evaluate(() => window.told.filter((line) => line.startsWith('typed')))
  await page.getByLabel('Terminal of sample').focus()
  await page.keyboard.type('yes')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+c')
  expect(await typed()).toEqual(['typed "y"', 'typed "e"', 'typed "s"', 'typed "\\r"', 'typed "\\u0003"'])
  await page.evaluate(() => window.hand({ kind: 'exit', exitCode: 0 }))
  await expect.poll(() => page.evaluate(() => window.told.at(-1))).toBe('state ended')
  await page.keyboard.type('more')
  expect(await typed()).toHaveLength(5)
})

test('terminal queries are answered only in live output, not in old output', async ({ page }) => {
  await open(page)
  await page.evaluate((esc) => window.hand({ kind: 'replay', columns: 80, rows: 24, watcher: 'one', data: `${esc}[6n${esc}[c old` }), ESC)
  await expect(page.locator('.xterm-rows')).toContainText('old')
  expect(await page.evaluate(() => window.told.filter((line) => line.startsWith('typed')))).toEqual([])
  await page.evaluate((esc) => window.hand({ kind: 'data', data: `${esc}[6n` }), ESC)
  await expect.poll(() => page.evaluate(() => window.told.filter((line) => line.startsWith('typed')).length)).toBe(1)
})

test('output sets no title, reaches no clipboard, and opens no link on its own', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: (words: string) => window.told.push(`copied ${words}`) } })
  })
  await open(page)
  const title = await page.title()
  const tricks = `${ESC}]0;owned\u0007${ESC}]2;owned\u0007${ESC}]52;c;b3duZWQ=\u0007${ESC}]8;;https://example.org/\u0007a link${ESC}]8;;\u0007 done`
  await page.evaluate((data) => window.hand({ kind: 'replay', columns: 80, rows: 24, watcher: 'one', data }), tricks)
  await expect(page.locator('.xterm-rows')).toContainText('a link done')
  await page.locator('.xterm-rows').getByText('a link').click({ force: true })
  expect(await page.title()).toBe(title)
  expect(await page.evaluate(() => window.told.filter((line) => line.startsWith('copied')))).toEqual([])
  expect(await page.evaluate(() => window.told.filter((line) => line.startsWith('link')))).toEqual([])
  await page.keyboard.down('Control')
  await page.locator('.xterm-rows').getByText('a link').click({ force: true })
  await page.keyboard.up('Control')
  expect(await page.evaluate(() => window.told.filter((line) => line.startsWith('link')))).toEqual(['link https://example.org/'])
})

test('a terminal is as tall as its content, but no taller than its screen, and a running command learns the number of columns', async ({
  page,
}) => {
  await open(page)
  await replay(page)
  const height = (): Promise<number> =>
    page.locator('.xterm').evaluate((element) => Math.round((element.parentElement?.parentElement?.clientHeight ?? 0) / 18))
  await expect.poll(height).toBe(2)
  await page.evaluate(() => window.hand({ kind: 'data', data: '\r\n'.repeat(60) }))
  await expect.poll(height).toBe(30)
  const resized = (): Promise<string | undefined> => page.evaluate(() => window.told.findLast((line) => line.startsWith('resized')))
  await expect.poll(resized).toMatch(/^resized 1\d\d 30$/)
})

for (const width of [1440, 900, 480])
  test(`a terminal that started off screen shows the end of its output, at its current width (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await open(page, '&folded')
    const data = `${Array.from({ length: 60 }, (_, at) => `line ${at + 1}`).join('\r\n')}\r\n${'wide '.repeat(60)}`
    await page.evaluate((text) => window.hand({ kind: 'replay', columns: 120, rows: 30, watcher: 'one', data: text }), data)
    await page.evaluate(() => window.hand({ kind: 'exit', exitCode: 0 }))
    await expect.poll(() => page.evaluate(() => window.told.at(-1))).toBe('state ended')
    await page.evaluate(() => document.getElementById('folded')?.removeAttribute('hidden'))
    await expect(page.locator('.xterm-rows > div').last()).toContainText(/^[wide ]+$/)
    await expect(page.locator('.xterm-rows')).toContainText('line 60')
    await expect(page.locator('.xterm-rows')).not.toContainText('line 30')
  })

test('text typed while a terminal attaches reaches the command in order', async ({ page }) => {
  await open(page)
  await page.getByLabel('Terminal of sample').focus()
  await page.keyboard.type('yes')
  await page.keyboard.press('Enter')
  const typed = (): Promise<string[]> => page.evaluate(() => window.told.filter((line) => line.startsWith('typed')))
  expect(await typed()).toEqual([])
  await page.evaluate(
    (esc) => window.hand({ kind: 'replay', columns: 80, rows: 24, watcher: 'one', data: `${esc}[6n${esc}[>c ready` }),
    ESC,
  )
  await expect(page.locator('.xterm-rows')).toContainText('ready')
  await expect.poll(typed).toEqual(['typed "yes\\r"'])
})

test('no stray line is drawn next to a terminal after the theme has changed', async ({ page }) => {
  await open(page, '&theme=light')
  await replay(page)
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
  await expect(page.locator('canvas:visible')).toHaveCount(0)
})
