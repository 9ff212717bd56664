import type { Page } from 'playwright/test'
import { call, calls, gate, message, say, text } from '../../support/scripted-model.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { armed, composer, newSession, openSession, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const row = (page: Page, title: RegExp) => page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: title }).first()
const asks = (words: string) => calls(call('shell', { command: `/bin/echo ${words}` }))

/** Starts a second session in the same folder with this request. The first session keeps running. */
async function another(page: Page, request: string): Promise<void> {
  await newSession(page)
  await send(page, request)
}

test('U2: a turn that ends while another session is on screen is marked until it is seen, even after a restart', async ({
  page,
  places,
  model,
  desk,
}, info) => {
  const answers = gate()
  const scripted = await model(async ({ index }) => {
    if (index === 2) return say('I am the third.')
    await answers.opened
    return index === 0 ? say('Which of the two do you want?') : say('It is all done.')
  })
  const env = modelEnv(scripted)
  const first = await desk({ env })
  await page.goto(first.address)
  await openProject(page, places.project)
  await send(page, 'Ask me')
  await expect(row(page, /Ask me/)).toHaveAccessibleName(/running/i)
  await another(page, 'Tell me')
  await expect(row(page, /Tell me/)).toHaveAccessibleName(/running/i)
  await another(page, 'Third')
  await expect(page.getByRole('paragraph').getByText('I am the third.')).toBeVisible()
  answers.open()
  await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('Asked you a question')
  await expect(row(page, /Tell me/)).toHaveAccessibleName(/new/i)
  await expect(row(page, /Third/)).not.toHaveAccessibleName(/new/i)
  await expect(page).toHaveTitle('● One session needs you: Ask me — Countersign')
  await keepPictures(page, info, 'unseen')
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.getByRole('button', { name: 'Sessions, 1 needs you, 1 finished' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })

  await first.stop()
  const second = await desk({ env })
  await page.goto(second.address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask me')
  await expect(row(page, /Tell me/)).toHaveAccessibleName(/new/i)
  await expect(page).toHaveTitle('○ Finished: Tell me — Countersign')
  await expect(page.getByRole('region', { name: 'Needs you' })).toHaveCount(0)
  await openSession(page, /Tell me/)
  await expect(page).toHaveTitle('Tell me — Countersign')
  await openSession(page, /Third/)
  await expect(row(page, /Tell me/)).not.toHaveAccessibleName(/new/i)
})

test('U2: a turn that ends while the window is in the background is marked as new until the user returns', async ({
  page,
  context,
  opened,
}) => {
  const answers = gate()
  await opened(async () => {
    await answers.opened
    return say('Shall I go on?')
  }, 'Ask me')
  await expect(row(page, /Ask me/)).toHaveAccessibleName(/running/i)
  // Headless Chromium does not report that a window lost the focus to another program, so this line simulates it.
  await page.evaluate(() => Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => false }))
  answers.open()
  await expect(page).toHaveTitle('● One session needs you: Ask me — Countersign')
  await expect(row(page, /Ask me/)).toHaveAccessibleName(/Asked you a question/)
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus')
    dispatchEvent(new Event('focus'))
  })
  await expect(page).toHaveTitle('Ask me — Countersign')
  expect(context.pages().length).toBeGreaterThan(0)
})

test('U3: Ctrl J moves through the requests of all sessions, and answering a request returns the user to the previous place', async ({
  page,
  opened,
}) => {
  await opened(({ index }) => {
    if (index === 0)
      return message([text('Two.'), call('shell', { command: '/bin/echo one' }), call('shell', { command: '/bin/echo two' })])
    return index === 1 ? asks('other') : say('Well.')
  }, 'Both')
  await expect(tray(page)).toContainText('1 of 2')
  await another(page, 'Other')
  await expect(tray(page)).toContainText('echo other')
  await another(page, 'Quiet')
  await expect(page.getByRole('paragraph').getByText('Well.')).toBeVisible()
  await composer(page).fill('half a thought')
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 9))
  const hasFocus = () => expect(tray(page).locator(':focus')).toHaveCount(1)
  for (const words of ['echo one', 'echo two', 'echo other', 'echo one', 'echo two', 'echo other']) {
    await page.keyboard.press('Control+j')
    await expect(tray(page)).toContainText(words)
    await hasFocus()
  }
  await armed(page).waitFor()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quiet')
  await expect(composer(page)).toBeFocused()
  expect(await composer(page).evaluate((field: HTMLTextAreaElement) => [field.value, field.selectionStart, field.selectionEnd])).toEqual([
    'half a thought',
    5,
    9,
  ])
})

test('U3: an answer leads back only if Ctrl J led to its request, not if the user came in another way or the request is newer', async ({
  page,
  opened,
}) => {
  await opened(({ index }) => {
    if (index === 0 || index === 2) return asks(index === 0 ? 'one' : 'two')
    return index === 3 ? asks('three') : say('Well.')
  }, 'First')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(tray(page)).toContainText('echo one')
  await another(page, 'Quiet')
  await expect(page.getByRole('paragraph').getByText('Well.')).toBeVisible()
  await page.keyboard.press('Control+j')
  await expect(heading).toHaveText('First')
  await row(page, /Quiet/).click()
  await row(page, /First/).click()
  await sign(page, 'echo one')
  await expect(tray(page)).toContainText('echo two')
  await expect(heading).toHaveText('First')

  await row(page, /Quiet/).click()
  await page.keyboard.press('Control+j')
  await expect(tray(page)).toContainText('echo two')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).focus()
  await composer(page).focus()
  await sign(page, 'echo two')
  await expect(heading).toHaveText('First')
  await expect(tray(page)).toContainText('echo three')
  await sign(page, 'echo three')
  await expect(page.getByRole('paragraph').getByText('Well.')).toBeVisible()
  await expect(heading).toHaveText('First')
})

test('U3: Ctrl J moves the focus into a new tray, and the focus stays in the tray while moving through its requests', async ({
  page,
  opened,
}) => {
  await opened(
    ({ index }) =>
      index < 6
        ? message([call('shell', { command: `/bin/echo ${index}a` }), call('shell', { command: `/bin/echo ${index}b` })])
        : say('Done.'),
    'Go',
  )
  for (let round = 0; round < 6; round++) {
    // The keys are pressed at once, possibly before the window has received the updated list of sessions.
    await expect(tray(page)).toContainText(`echo ${round}a`)
    await page.keyboard.press('Control+j')
    await expect(tray(page).locator(':focus')).toHaveCount(1)
    await tray(page).getByRole('button', { name: 'Next request' }).press('Enter')
    await expect(tray(page)).toContainText(`echo ${round}b`)
    await expect(tray(page).locator(':focus')).toHaveCount(1)
    await sign(page, `echo ${round}b`)
    await sign(page, `echo ${round}a`)
  }
  await expect(page.getByRole('paragraph').getByText('Done.')).toBeVisible()
})

test('a session is named after the first words of its message, and can be renamed in place', async ({ page, opened }, info) => {
  const request = 'Could you please fix the login redirect loop in src/auth/redirect.ts? It began when the cookie was renamed.'
  await opened([say('Fixed.')], request)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Fix the login redirect loop in redirect.ts?')
  await expect(page.getByRole('list', { name: /^Ledger/ })).toContainText(request)
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: 'Name of the session' })
  await keepPictures(page, info, 'renaming')
  await page.keyboard.type('Login loop')
  await page.keyboard.press('Escape')
  await expect(heading).toHaveText('Fix the login redirect loop in redirect.ts?')
  await expect(composer(page)).toBeFocused()
  await heading.locator('span').first().dblclick()
  await field.fill('Login loop')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Login loop')
  await row(page, /Login loop/).press('F2')
  await field.fill('')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Fix the login redirect loop in redirect.ts?')
  await expect(row(page, /Fix the login/)).toBeFocused()
  await row(page, /Fix the login/).dblclick()
  await field.fill('By pointer')
  await composer(page).click()
  await expect(heading).toHaveText('By pointer')
  await page.reload()
  await expect(heading).toHaveText('By pointer')
})
