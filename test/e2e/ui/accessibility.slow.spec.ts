import type { Locator, Page } from 'playwright/test'
import { axeFindings } from '../support/axe-findings.ts'
import { REQUESTED_FILES, REQUESTS, visitPages, visitPanes, visitRequests } from '../support/desk-states.ts'
import { expect, test } from '../support/desk-test.ts'
import { ledger, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.describe.configure({ timeout: 300_000 })

/** The accessibility tree as text, without what differs between runs: times, durations and names of temporary folders. */
async function spoken(part: Locator): Promise<string> {
  const text = await part.ariaSnapshot()
  return `${text
    .replaceAll(/countersign-(?:project|data)-\w+/g, 'PROJECT')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/asked .+? to answer/g, 'asked WHEN to answer')
    // Short durations are not always shown.
    .replaceAll(/ ?\b\d+(?:\.\d+)? (?:ms|s)\b/g, '')
    .replaceAll(/\n *- text:(?=\n)/g, '')
    .replaceAll(/(?:\/[\w.-]+)+\/PROJECT/g, '/PROJECT')}\n`
}

test('the accessibility tree of the trust question is as reviewed', async ({ page, desk, places }) => {
  const { address } = await desk({ folder: places.project })
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Trust and open' })).toBeVisible()
  expect(await spoken(page.locator('section', { has: page.getByRole('heading', { level: 1 }) }).last())).toMatchSnapshot('trust.txt')
})

test.describe('without copies', () => {
  test.use({ sandbox: 'off' })

  test('the accessibility tree of each kind of request is as reviewed', async ({ page, put, opened }) => {
    for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
    await opened(REQUESTS)
    const parts: Readonly<Record<string, () => Locator>> = {
      command: () => tray(page),
      questions: () => tray(page),
      edits: () => tray(page),
      plan: () => tray(page),
      'finished turn': () => ledger(page),
    }
    const seen: string[] = []
    await visitRequests(page, async (name) => {
      const part = parts[name]
      if (!part) return
      seen.push(name)
      // A request can be answered only after a moment.
      if (name === 'questions') await expect(part().getByRole('button', { name: 'Leave it to the agent' })).toBeEnabled()
      expect.soft(await spoken(part()), name).toMatchSnapshot(`${name.replaceAll(' ', '-')}.txt`)
    })
    expect(seen.toSorted()).toEqual(Object.keys(parts).toSorted())
  })
})

test.describe('in forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } })

  test('in every state, the focused control has a visible outline or border, and axe finds nothing', async ({
    page,
    put,
    opened,
  }, info) => {
    for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
    await opened(REQUESTS)
    const visit = async (name: string): Promise<void> => {
      // The system chooses these colors, and after a transition Chromium reports the page's own instead.
      expect
        .soft(
          (await axeFindings(page)).filter((found) => !found.startsWith('color-contrast')),
          name,
        )
        .toEqual([])
      expect.soft(await unmarkedFocus(page), name).toBe(null)
      await keepPictures(page, info, `forced-${name.replaceAll(/\W+/g, '-')}`)
    }
    await visitRequests(page, visit)
    await visitPanes(page, visit)
    await visitPages(page, visit)
  })

  test('the selected tab looks different from the others', async ({ page, opened }) => {
    await opened([])
    const shown = (name: string) =>
      page.getByRole('tab', { name }).evaluate((tab) => {
        const own = getComputedStyle(tab)
        const line = getComputedStyle(tab, '::after')
        return [
          own.borderBottomColor,
          own.backgroundColor,
          own.outlineStyle,
          line.backgroundColor,
          line.borderBottomWidth,
          line.content,
        ].join()
      })
    expect(await shown('Changes')).not.toBe(await shown('Plan'))
  })
})

/** The HTML of the focused control if nothing shows its focus. Null if something does. */
function unmarkedFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body || !focused.matches(':focus-visible')) return null
    for (let at: HTMLElement | null = focused, up = 0; at && up < 4; at = at.parentElement, up++) {
      for (const part of [null, '::after']) {
        const { outlineStyle, borderTopStyle, borderBottomStyle, content } = getComputedStyle(at, part)
        if (part !== null && content === 'none') continue
        if (outlineStyle !== 'none' || borderTopStyle !== 'none' || borderBottomStyle !== 'none') return null
      }
    }
    return focused.outerHTML.slice(0, 200)
  })
}
