import { type Locator, type Page, expect } from 'playwright/test'
import type { Visit } from './desk-states.ts'
import { composer, tray } from './on-the-desk.ts'
import { settled } from './settled.ts'

/** Every control that opens a menu or a list. Found by what it says to a screen reader, so that a new one is covered too. */
const OPENERS = ':is(button, [role=combobox])[aria-haspopup]:not([aria-haspopup=dialog], [aria-disabled=true])'

/** Everything that may have a menu at the pointer. */
const ROWS = '[data-step], nav button[aria-current], [role=listitem] h3, section > div > h3'

const HANDS = ['mouse', 'keyboard'] as const
type Hand = (typeof HANDS)[number]

/** A part that floats above the desk. */
interface FloatingPart {
  readonly name: string
  /** A menu and a list close when Tab leaves them. The focus stays inside a dialog and a drawer. */
  readonly kind: 'popup' | 'dialog' | 'drawer'
  readonly open: (page: Page, hand: Hand) => Promise<void>
  /** What is open once the part is. */
  readonly shown: Locator
}

/** What may happen to a part that is open, and what it closes. Escape closes what is still open. */
interface Way {
  readonly name: string
  readonly leave: (page: Page) => Promise<void>
  readonly closes: readonly FloatingPart['kind'][]
}

const WAYS: readonly Way[] = [
  { name: 'Escape', leave: (page) => page.keyboard.press('Escape'), closes: ['popup', 'dialog', 'drawer'] },
  { name: 'click outside', leave: clickOutside, closes: ['popup', 'dialog', 'drawer'] },
  { name: 'Tab', leave: (page) => page.keyboard.press('Tab'), closes: ['popup'] },
  { name: 'theme change', leave: changeTheme, closes: [] },
  { name: 'resize', leave: resize, closes: [] },
]

/** The status strip has nothing to press in its middle. */
async function clickOutside(page: Page): Promise<void> {
  const { width, height } = sizeOf(page)
  // A press right after a dialog has opened may be the second one of a double click.
  await page.locator('dialog[closedby=closerequest]').waitFor({ state: 'detached' })
  await page.mouse.click(width / 2, height - 4)
}

async function changeTheme(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  await page.emulateMedia({ colorScheme: 'light' })
}

async function resize(page: Page): Promise<void> {
  const before = sizeOf(page)
  await page.setViewportSize({ width: before.width - 100, height: before.height - 100 })
  await settled(page)
  await page.setViewportSize(before)
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

/** Opens a part by the given hand and leaves it in the given way. Checks the desk, the focus and everything that is typed. */
async function openAndLeave(page: Page, { name, kind, open, shown }: FloatingPart, hand: Hand, way: Way): Promise<void> {
  const after = `${name}, ${hand}, ${way.name}`
  const texts = await typed(page)
  const focused = await page.evaluateHandle(() => document.activeElement)
  const before = await shown.count()
  await open(page, hand)
  await expect(shown, after).toHaveCount(before + 1)
  await deskStands(page, after)
  const opened = await page.evaluateHandle(() => document.activeElement)
  await way.leave(page)
  if (!way.closes.includes(kind)) {
    await expect(shown, after).toHaveCount(before + 1)
    await page.keyboard.press('Escape')
  }
  await expect(shown, after).toHaveCount(before)
  await deskStands(page, after)
  const returns = way.name === 'Escape' || way.closes.length === 0
  // A click in the tray leaves the focus where it was, for example in the message field. A button that opens a list keeps the focus. A
  // click on a row moves the focus to the row or its pane.
  const isBack = (): Promise<boolean> =>
    page.evaluate(
      ([had, was]) => {
        const now = document.activeElement
        const isItsPlace =
          now?.matches('[aria-haspopup], [aria-keyshortcuts], [aria-current], [data-pane], [data-pane] section, [data-pane] button') ===
          true
        return now === had || now === was || isItsPlace
      },
      [focused, opened] as const,
    )
  if (returns) await expect.poll(isBack, { message: after }).toBe(true)
  expect(await typed(page), after).toEqual(texts)
}

/** The control of a menu or list, with the pointer resting on it. */
async function popupOf(page: Page, opener: Locator): Promise<FloatingPart> {
  return {
    name: (await opener.getAttribute('aria-label')) ?? (await opener.innerText()),
    kind: 'popup',
    shown: popups(page),
    async open(_page, hand) {
      await opener.hover({ force: true })
      if (hand === 'mouse') await opener.click({ force: true })
      else await opener.press('Enter')
    },
  }
}

/** Opens parts by mouse and by keyboard. The ways to leave them take turns. */
class Walk {
  #turn = 0

  async through(page: Page, part: FloatingPart, hands: readonly Hand[] = HANDS): Promise<void> {
    for (const hand of hands) {
      const way = WAYS[this.#turn % WAYS.length]
      this.#turn += 1
      if (way) await openAndLeave(page, part, hand, way)
    }
  }
}

/** Opens every menu and list on the screen, and the context menu of each row. Returns the number of controls and rows that have one. */
export async function openAll(page: Page): Promise<number> {
  const walk = new Walk()
  // What lies below a dialog cannot be pressed.
  const top = page.locator((await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'body')
  const openers = await top.locator(OPENERS).filter({ visible: true }).all()
  for (const opener of openers) await walk.through(page, await popupOf(page, opener))
  const rows = await withMenus(page, await top.locator(ROWS).filter({ visible: true }).all())
  for (const row of rows) await walk.through(page, row, ['mouse'])
  await tabThrough(page)
  return openers.length + rows.length
}

/**
 * Opens every menu and list on a page of the gallery by mouse and by keyboard, leaves it in every way, and reloads the page while it is
 * open. Returns the number of controls.
 */
export async function openAllInEveryWay(page: Page): Promise<number> {
  const openers = page.locator(OPENERS).filter({ visible: true })
  const count = await openers.count()
  for (let at = 0; at < count; at += 1) {
    const part = await popupOf(page, openers.nth(at))
    for (const hand of HANDS) {
      for (const way of WAYS) await openAndLeave(page, part, hand, way)
      await part.open(page, hand)
      await expect(part.shown, `${part.name}, ${hand}`).toHaveCount(1)
      await page.reload()
      await expect(openers, `${part.name}, ${hand}, reload`).toHaveCount(count)
      await deskStands(page, `${part.name}, ${hand}, reload`)
    }
  }
  await tabThrough(page)
  return count
}

/** The rows that have a menu at the pointer. At most three, because the rows of a list have the same menu. */
async function withMenus(page: Page, rows: readonly Locator[]): Promise<readonly FloatingPart[]> {
  const found: FloatingPart[] = []
  for (const row of rows) {
    if (found.length === 3) break
    const before = await popups(page).count()
    // The divider between panes lies over the first pixels of a row.
    const open = (): Promise<void> => row.click({ button: 'right', force: true, position: { x: 12, y: 3 } })
    await open()
    const name = `menu of a row: ${(await row.innerText()).slice(0, 40)}`
    await deskStands(page, name)
    if ((await popups(page).count()) === before) continue
    await page.keyboard.press('Escape')
    found.push({ name, kind: 'popup', shown: popups(page), open })
  }
  return found
}

/** Moves the focus through the page, which shows the tip of each control, and dismisses each tip in another way. */
async function tabThrough(page: Page): Promise<void> {
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab')
    if (step % 4 === 3) await page.mouse.wheel(0, 40)
  }
  await deskStands(page, 'Tab through all controls')
}

/** The dialogs of the desk, by key and by mouse. The mouse needs the palette for those that have no button. */
const DIALOGS: readonly { readonly name: string; readonly keys: string; readonly button: string }[] = [
  { name: 'Commands', keys: 'Control+k', button: '' },
  { name: 'Keys', keys: 'F1', button: '' },
  { name: 'Open a folder', keys: 'Control+o', button: 'Open a folder' },
]

/** Opens each dialog, and in a narrow window each drawer, by mouse and by keyboard, and leaves it in every way. */
export async function openDialogsAndDrawers(page: Page): Promise<void> {
  const before = sizeOf(page)
  for (const { name, keys, button } of DIALOGS) {
    const part: FloatingPart = {
      name,
      kind: 'dialog',
      shown: page.getByRole('dialog', { name }),
      open: (_page, hand) =>
        hand === 'mouse' ? page.getByRole('button', { name: button, exact: true }).click() : page.keyboard.press(keys),
    }
    for (const hand of HANDS.filter((one) => one === 'keyboard' || button !== ''))
      for (const way of WAYS) await openAndLeave(page, part, hand, way)
  }
  await page.setViewportSize({ width: 1000, height: before.height })
  for (const [keys, side] of [
    ['Control+b', 'nav[aria-label=Sessions]'],
    ['Control+Alt+b', 'aside[aria-label=Inspector]'],
  ] as const) {
    // The drawer itself has a button too, which cannot be pressed while the drawer closes.
    const button = page.locator(`${side} button:not([data-drawer] *)`).first()
    const part: FloatingPart = {
      name: keys,
      kind: 'drawer',
      shown: page.locator('[data-drawer=open]'),
      open: (_page, hand) => (hand === 'mouse' ? button.click() : page.keyboard.press(keys)),
    }
    for (const hand of HANDS) for (const way of WAYS) await openAndLeave(page, part, hand, way)
  }
  await page.setViewportSize(before)
}

/** Opens everything that can be opened in a state. */
export const opensAll =
  (page: Page): Visit =>
  async (name) => {
    await openAll(page)
    await deskStands(page, name)
  }

/** Types into each field of the tray, reloads the window with everything open, and expects all that was typed to be there again. */
export const keepsTyped =
  (page: Page): Visit =>
  async (name) => {
    for (const field of await tray(page).getByRole('textbox').all()) {
      await field.press('End')
      await page.keyboard.type('7')
    }
    const texts = await typed(page)
    await page.reload()
    await composer(page).waitFor()
    await expect.poll(() => typed(page), { message: `${name}, reload` }).toEqual(texts)
    await deskStands(page, `${name}, reload`)
  }

/** Fails if the page reports an error while `work` goes through states of the desk. */
export async function withoutErrors(page: Page, work: () => Promise<void>): Promise<void> {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await work()
  expect(errors).toEqual([])
}
