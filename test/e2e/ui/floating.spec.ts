import type { Locator, Page } from 'playwright/test'
import { call, calls, message, say, text } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed } from '../support/on-the-desk.ts'

test.use({ sandbox: 'off' })

/** Every visible control that opens a menu or a list. Found by what it says to a screen reader, so that a new one is covered too. */
const OPENERS = ':is(button, [role=combobox])[aria-haspopup]:not([aria-haspopup=dialog], [aria-disabled=true])'

/** The menus and lists that are open. */
const openPopups = (page: Page): Locator => page.locator('[role=menu], [role=listbox]').filter({ visible: true })

/** Waits until a tip for the focused or hovered control has had time to be shown. */
const twoFrames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  })

async function deskStands(page: Page, after: string): Promise<void> {
  await twoFrames(page)
  await expect(page.locator('[data-crashed]'), after).toHaveCount(0)
}

/** Opens one control by the given hand and closes it by Escape. The pointer stays on the control. */
async function openAndEscape(page: Page, opener: Locator, hand: 'mouse' | 'keyboard'): Promise<void> {
  const name = `${hand}: ${(await opener.getAttribute('aria-label')) ?? (await opener.innerText())}`
  await opener.hover({ force: true })
  if (hand === 'mouse') await opener.click({ force: true })
  else await opener.press('Enter')
  await expect(openPopups(page), name).toHaveCount(1)
  await deskStands(page, `${name}, opened`)
  await page.keyboard.press('Escape')
  await expect(openPopups(page), name).toHaveCount(0)
  await deskStands(page, `${name}, Escape`)
  await expect(opener, name).toBeFocused()
}

test('each menu and list of the desk opens by mouse and keyboard and is closed by Escape, with the desk and every draft in place', async ({
  page,
  put,
  opened,
}) => {
  await put('a.txt', 'one\n')
  await opened(
    [
      message([text('I read it.'), call('read_file', { file_path: 'a.txt' })]),
      calls(call('write_file', { file_path: 'b.txt', content: 'two\n' })),
      say('Done.'),
    ],
    'Write b',
  )
  await armed(page).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('a draft')
  await page.getByRole('button', { name: 'Refuse with a note' }).click()
  const note = page.getByRole('textbox', { name: 'What the agent should do instead' })
  await note.fill('a note')
  const openers = page.locator(OPENERS)
  const count = await openers.count()
  expect(count).toBeGreaterThan(4)
  for (let at = 0; at < count; at += 1) for (const hand of ['mouse', 'keyboard'] as const) await openAndEscape(page, openers.nth(at), hand)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('a draft')
  await expect(note).toHaveValue('a note')
})
