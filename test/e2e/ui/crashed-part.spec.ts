import type { Locator, Page } from 'playwright/test'
import { call, message, say, text } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, composer, ledger, tray } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

test.use({ sandbox: 'off' })

const ERROR = 'The browser refused this attribute.'

/** Lets the browser refuse to draw each element with one attribute, so that the part with this element fails for real. */
async function withRefusals(
  page: Page,
  name = 'Error',
): Promise<{ readonly refuse: (attribute: string) => Promise<void>; readonly mend: () => Promise<void> }> {
  const set = (refused: string): Promise<void> => page.evaluate((value) => sessionStorage.setItem('refused', value), refused)
  await page.addInitScript(
    ([error, kind]) => {
      const setAttribute = Element.prototype.setAttribute
      Element.prototype.setAttribute = function (name: string, value: string): void {
        if (`${name}=${value}` === sessionStorage.getItem('refused')) throw Object.assign(new Error(error), { name: kind })
        setAttribute.call(this, name, value)
      }
    },
    [ERROR, name] as const,
  )
  return { refuse: set, mend: () => set('') }
}

const crashes = (page: Page): Locator => page.locator('[data-crashed]')
const note = (page: Page): Locator => page.getByRole('textbox', { name: 'What the agent should do instead' })
const sessions = (page: Page): Locator => page.getByRole('navigation', { name: 'Sessions' })
const ofInspector = (page: Page, tab: RegExp): Locator =>
  page.getByRole('tablist', { name: 'Inspector', exact: true }).getByRole('tab', { name: tab })

const SCRIPT = [
  message([
    text('I create it.'),
    call('todo_write', { todos: [{ id: '1', content: 'Create b', status: 'pending', priority: 'high' }] }),
    call('write_file', { file_path: 'b.txt', content: 'two\n' }),
  ]),
  say('Done.'),
]

/** Each part of the desk, an attribute that only this part has, and what its error says. */
const PARTS = [
  { part: 'sessions', refused: 'aria-label=All sessions', says: 'The list of sessions cannot be shown' },
  { part: 'head', refused: 'aria-label=Mode', says: 'The head of the session cannot be shown' },
  { part: 'ledger', refused: 'aria-label=Ledger', says: 'The ledger cannot be shown' },
  { part: 'tray', refused: 'data-tray=needs', says: 'What needs you cannot be shown' },
  { part: 'composer', refused: 'aria-label=Message', says: 'The message field cannot be shown' },
  { part: 'inspector', refused: 'data-pane=inspector', says: 'The inspector cannot be shown' },
  { part: 'tab', refused: 'aria-label=Plan', says: 'This tab cannot be shown' },
] as const

for (const { of, parts, tag } of [
  { of: 'the ledger', parts: PARTS.filter(({ part }) => part === 'ledger'), tag: [] },
  { of: 'any other part of the desk', parts: PARTS.filter(({ part }) => part !== 'ledger'), tag: '@slow' },
])
  test(
    `an error in ${of} leaves the other parts usable and every draft in place, and the part can be tried again`,
    { tag },
    async ({ page, opened }) => {
      const { refuse, mend } = await withRefusals(page)
      await opened(SCRIPT, 'Write b')
      await armed(page).waitFor()
      await composer(page).fill('a draft')
      await tray(page).getByRole('button', { name: 'Refuse with a note' }).click()
      await note(page).fill('a note')
      await ofInspector(page, /^Plan/u).click()
      for (const { part, refused, says } of parts) {
        await test.step(part, async () => {
          await refuse(refused)
          await page.reload()
          await expect(crashes(page)).toHaveCount(1)
          await expect(crashes(page)).toContainText(`${says}: ${ERROR}`)
          if (part !== 'sessions') await expect(sessions(page)).toContainText('Write b')
          if (part !== 'ledger') await expect(ledger(page)).toContainText('I create it.')
          if (part !== 'tray') await expect(note(page)).toHaveValue('a note')
          if (part !== 'composer') await expect(composer(page)).toHaveValue('a draft')
          // The parts below the ledger stay at the bottom of the window.
          if (part === 'ledger') {
            const { y = 0, height = 0 } = (await page.locator('[data-pane=work]').boundingBox()) ?? {}
            const field = await composer(page).boundingBox()
            expect((field?.y ?? 0) + (field?.height ?? 0)).toBeGreaterThan(y + height - 120)
          }
          if (part !== 'inspector') {
            await ofInspector(page, /^Context/u).click()
            await expect(page.getByRole('region', { name: 'Context' })).toBeVisible()
            await ofInspector(page, /^Plan/u).click()
          }
          await mend()
          await crashes(page).getByRole('button', { name: 'Try again' }).click()
          await expect(crashes(page)).toHaveCount(0)
          await expect(composer(page)).toHaveValue('a draft')
          await expect(note(page)).toHaveValue('a note')
        })
      }
    },
  )

test(
  'an error of the browser is described in plain words, and its original text can be shown and copied for a report',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    const { refuse } = await withRefusals(page, 'TypeError')
    await opened(SCRIPT, 'Write b')
    await refuse('aria-label=Ledger')
    await page.reload()
    await expect(crashes(page)).toContainText('The ledger cannot be shown because of a bug in Countersign.')
    await expect(crashes(page)).not.toContainText(ERROR)
    await crashes(page).getByRole('button', { name: 'Details', exact: true }).click()
    await expect(crashes(page)).toContainText(`TypeError: ${ERROR}`)
    await keepScreens(page, info, 'crashed-part')
    await crashes(page).getByRole('button', { name: 'Copy the details' }).click()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Control+v')
    await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')).toHaveValue(new RegExp(`TypeError: ${ERROR}`, 'u'))
  },
)

/** Each kind of floating layer and each page, how it is opened, an attribute that only it has, and how its error is left. */
const LAYERS: readonly {
  readonly layer: string
  readonly refused: string
  readonly open: (page: Page) => Promise<void>
  readonly says: string | null
  readonly leave: (page: Page) => Promise<void>
}[] = [
  {
    layer: 'menu',
    refused: 'role=menuitem',
    open: (page) => page.getByRole('button', { name: 'Group the sessions' }).click(),
    says: 'Group the sessions cannot be shown',
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    layer: 'menu at the pointer',
    refused: 'role=menuitem',
    open: (page) => page.locator('[data-step="1"]').click({ button: 'right' }),
    says: 'This menu cannot be shown',
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    layer: 'list of a select',
    refused: 'role=option',
    open: (page) => page.getByRole('combobox', { name: 'Mode' }).first().click(),
    says: 'Mode cannot be shown',
    leave: (page) => page.mouse.click(720, 896),
  },
  {
    layer: 'tip',
    refused: 'popover=manual',
    open: async (page) => {
      await page.getByRole('button', { name: 'Fold sessions' }).focus()
      await page.keyboard.press('Tab')
    },
    says: null,
    leave: async () => {},
  },
  {
    layer: 'completions',
    refused: 'aria-label=Completions',
    open: (page) =>
      composer(page)
        .press('End')
        .then(() => page.keyboard.type(' @a')),
    says: 'The list of completions cannot be shown',
    leave: (page) => composer(page).fill('a draft'),
  },
  {
    layer: 'dialog',
    refused: 'aria-label=All keys',
    open: (page) => page.keyboard.press('F1'),
    says: 'This dialog cannot be shown',
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    layer: 'palette',
    refused: 'aria-label=Commands',
    open: (page) => page.keyboard.press('Control+k'),
    says: 'This dialog cannot be shown',
    leave: (page) => page.getByRole('button', { name: 'Close', exact: true }).click(),
  },
  {
    layer: 'pane of a page',
    refused: 'aria-label=All settings',
    open: (page) => page.keyboard.press('Control+,'),
    says: 'This pane cannot be shown',
    leave: (page) => page.getByRole('button', { name: 'Close settings' }).click(),
  },
  {
    layer: 'page',
    refused: 'aria-label=Settings',
    open: (page) => page.keyboard.press('Control+,'),
    says: 'This page cannot be shown',
    leave: (page) => page.keyboard.press('Escape'),
  },
]

test('an error in a menu, list, tip, dialog or page leaves the desk below as it is', { tag: '@slow' }, async ({ page, put, opened }) => {
  const { refuse, mend } = await withRefusals(page)
  await put('a.txt', 'one\n')
  await opened(SCRIPT, 'Write b')
  await armed(page).waitFor()
  await composer(page).fill('a draft')
  await tray(page).getByRole('button', { name: 'Refuse with a note' }).click()
  await note(page).fill('a note')
  for (const { layer, refused, open, says, leave } of LAYERS) {
    await test.step(layer, async () => {
      await refuse(refused)
      await open(page)
      if (says === null) await expect(page.locator('[popover=manual]')).toHaveCount(0)
      else await expect(crashes(page)).toContainText(`${says}: ${ERROR}`)
      await leave(page)
      await expect(crashes(page)).toHaveCount(0)
      await expect(composer(page)).toHaveValue('a draft')
      await expect(note(page)).toHaveValue('a note')
      await mend()
    })
  }
})
