import { type Locator, type Page, expect } from 'playwright/test'
import { settled } from './settled.ts'

/** Every visible control that opens a menu or a list. Found by what it says to a screen reader, so that a new one is covered too. */
const OPENERS = ':is(button, [role=combobox])[aria-haspopup]:not([aria-haspopup=dialog], [aria-disabled=true])'

const HANDS = ['mouse', 'keyboard'] as const
type Hand = (typeof HANDS)[number]

/** How a menu or list that is open is left, and whether the focus then returns. */
interface Way {
  readonly name: string
  readonly leave: (page: Page) => Promise<void>
  readonly returnsFocus: boolean
}

const WAYS: readonly Way[] = [
  { name: 'Escape', leave: (page) => page.keyboard.press('Escape'), returnsFocus: true },
  { name: 'click outside', leave: clickOutside, returnsFocus: false },
  { name: 'Tab', leave: (page) => page.keyboard.press('Tab'), returnsFocus: false },
  { name: 'theme change', leave: changeTheme, returnsFocus: true },
  { name: 'resize', leave: resize, returnsFocus: true },
]

/** The status strip has nothing to press in its middle. */
async function clickOutside(page: Page): Promise<void> {
  const { width, height } = sizeOf(page)
  await page.mouse.click(width / 2, height - 4)
}

async function changeTheme(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.keyboard.press('Escape')
}

async function resize(page: Page): Promise<void> {
  const before = sizeOf(page)
  await page.setViewportSize({ width: before.width - 100, height: before.height - 100 })
  await settled(page)
  await page.setViewportSize(before)
  await page.keyboard.press('Escape')
}

function sizeOf(page: Page): { readonly width: number; readonly height: number } {
  const size = page.viewportSize()
  if (size === null) throw new Error('The page has no fixed size.')
  return size
}

const popups = (page: Page): Locator => page.locator('[role=menu], [role=listbox]').filter({ visible: true })

/** What is typed in all fields of the page. */
const typed = (page: Page): Promise<readonly string[]> =>
  page.locator('textarea, input').evaluateAll((fields) => fields.map((field) => ('value' in field ? String(field.value) : '')))

/** Fails if a part of the desk shows an error. Waits first until a tip for the focused control has had time to be shown. */
export async function deskStands(page: Page, after: string): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  })
  await expect(page.locator('[data-crashed]'), after).toHaveCount(0)
}

/** Opens one control by the given hand, while the pointer rests on it, and leaves what it opened in the given way. */
async function openAndLeave(page: Page, opener: Locator, hand: Hand, { name: way, leave, returnsFocus }: Way): Promise<void> {
  const after = `${hand}, ${way}: ${(await opener.getAttribute('aria-label')) ?? (await opener.innerText())}`
  const before = await typed(page)
  const focused = await page.evaluateHandle(() => document.activeElement)
  const open = await popups(page).count()
  await opener.hover({ force: true })
  if (hand === 'mouse') await opener.click({ force: true })
  else await opener.press('Enter')
  await expect(popups(page), after).toHaveCount(open + 1)
  await deskStands(page, after)
  await leave(page)
  await expect(popups(page), after).toHaveCount(open)
  await deskStands(page, after)
  // A press in the tray leaves the focus where it is, in the message for example.
  const hasFocus = (): Promise<boolean> =>
    opener.evaluate((element, had) => document.activeElement === element || document.activeElement === had, focused)
  if (returnsFocus) await expect.poll(hasFocus, { message: after }).toBe(true)
  expect(await typed(page), after).toEqual(before)
}

/** Opens every menu and list that can be opened now, by mouse and by keyboard. The ways to leave take turns. */
export async function openAll(page: Page): Promise<void> {
  const openers = page.locator(OPENERS).filter({ visible: true })
  const count = await openers.count()
  expect(count).toBeGreaterThan(4)
  let turn = 0
  for (let at = 0; at < count; at += 1)
    for (const hand of HANDS) {
      const way = WAYS[turn % WAYS.length]
      turn += 1
      if (way) await openAndLeave(page, openers.nth(at), hand, way)
    }
}

/** Fails if the page reports an error while `work` goes through states of the desk. */
export async function withoutErrors(page: Page, work: () => Promise<void>): Promise<void> {
  const errors: string[] = []
  const note = (error: Error): void => void errors.push(error.stack ?? error.message)
  page.on('pageerror', note)
  await work()
  page.off('pageerror', note)
  expect(errors).toEqual([])
}
