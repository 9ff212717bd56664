import type { Page } from 'playwright/test'
import { anthropicFrames } from '../../../main/providers/rehearsal/anthropic-frames.ts'
import { namedFrame } from '../../providers/support/frames.ts'
import { call, calls, httpError, message, say, stream, text } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, send, test } from '../support/desk-test.ts'
import { armed, composer, ledger, newSession, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const RUN = { command: '/bin/echo ran' }
const focused = (page: Page) =>
  page.evaluate(() => {
    const place = document.activeElement?.closest('[data-tray], [data-composer-text], [data-pane]')
    return place instanceof HTMLElement ? (place.dataset['pane'] ?? (place.matches('[data-tray]') ? 'tray' : 'composer')) : null
  })

test('F6 moves through the panes in visual order and back, and no pane traps the keyboard', async ({ page, opened }) => {
  await opened([calls(call('shell', RUN)), say('Ran.')], 'Run it')
  await armed(page).waitFor()
  const seen: (string | null)[] = [await focused(page)]
  for (let press = 0; press < 5; press++) {
    await page.keyboard.press('F6')
    seen.push(await focused(page))
  }
  expect(seen).toEqual(['composer', 'inspector', 'sessions', 'work', 'tray', 'composer'])
  await page.keyboard.press('Shift+F6')
  expect(await focused(page)).toBe('tray')
})

test('the palette finds commands and sessions by a few letters, runs them, and returns the focus', async ({ page, put, opened }, info) => {
  await put('notes.txt', 'Note.')
  await opened(() => say('Hello.'), 'A first request')
  await expect(ledger(page).getByText('Hello.')).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.type('dark')
  await expect(palette.getByRole('option')).toHaveText([/Theme dark/, /Search all sessions for “dark”/])
  await keepPictures(page, info, 'palette')
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('then tests')
  await expect(palette.getByRole('option').first()).toContainText('Plan first: yes, then tests')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Plan first' })).toContainText('yes, then tests')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox', { name: 'Find a file' })).toBeFocused()
  await page.keyboard.type('note')
  await expect(palette.getByRole('option')).toHaveText([/^notes\.txt/])
  await keepPictures(page, info, 'palette-files')
  await page.keyboard.press('Shift+Enter')
  await expect(composer(page)).toHaveValue('@notes.txt ')
  await composer(page).fill('')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('hello')
  await expect(palette.getByRole('option')).toHaveText([/A first request.*Hello\./, /Search all sessions for “hello”/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: /Search/ })).toHaveValue('hello')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('hooks')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Hooks' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('start page')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Countersign', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('first request')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByText('Hello.')).toBeVisible()
})

test('a key pressed while Escape is still closing the palette is not lost', async ({ page, opened }) => {
  await opened(() => say('Hello.'))
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await page.evaluate(() => {
    const palette = document.querySelector('dialog')
    if (palette === null) throw new Error('no palette')
    // These lines do what Escape does and press the next key in the same task, before the dialog's `close` event.
    palette.requestClose()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: ',', ctrlKey: true, cancelable: true }))
  })
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('? shows a sheet of all keys unless the focus is in a text field, and F1 shows it anywhere', async ({ page, opened }, info) => {
  await opened(() => say('Hello.'))
  await composer(page).click()
  await page.keyboard.type('why?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(composer(page)).toHaveValue('why?')
  await page.getByRole('region', { name: 'Ledger' }).click()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  for (const keys of ['Ctrl J', 'Ctrl K', 'Ctrl Enter', 'Ctrl Del', 'Esc Esc', 'F6, Shift F6', 'Alt Enter'])
    await expect(sheet.getByText(keys, { exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'keys')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await composer(page).click()
  await page.keyboard.press('F1')
  await expect(sheet.getByText('F1', { exact: true })).toBeVisible()
})

test('sessions that need attention come first and are counted on the narrow rail, and Ctrl J moves to the next of them', async ({
  page,
  opened,
}, info) => {
  await opened(({ index }) => (index < 2 ? calls(call('shell', { command: `/bin/echo ${index}` })) : say('Ran.')), 'The first')
  await tray(page).waitFor()
  await newSession(page)
  await send(page, 'The second')
  await tray(page).waitFor()
  const needs = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem')
  await expect(needs).toHaveText([/The first/, /The second/])
  await expect(page).toHaveTitle('● Sign: run /bin/echo 1 — Countersign')
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.getByRole('button', { name: 'Sessions, 2 need you' })).toBeVisible()
  await armed(page).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'narrow')
  await page.getByRole('button', { name: 'Sessions, 2 need you' }).click()
  await needs.getByRole('button', { name: /The first/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The first' })).toBeVisible()
  await expect(needs.first()).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const title of ['The first', 'The second']) {
    await page.keyboard.press('Control+j')
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await armed(page).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect(ledger(page).getByText('Ran.')).toBeVisible()
  }
  await expect(needs).toHaveCount(0)
  // Answering returns to the session where Ctrl+J was pressed, and the other session finishes in the background.
  await expect(page.getByRole('heading', { level: 1, name: 'The first' })).toBeVisible()
  await expect(page).toHaveTitle('○ Finished: The second — Countersign')
})

test('arrow keys move through the list of sessions, which is a single tab stop', async ({ page, opened }) => {
  await opened(({ index }) => say(`Answer ${index}.`))
  for (const [index, words] of ['one', 'two', 'three'].entries()) {
    if (index > 0) await newSession(page)
    await send(page, words)
    await expect(ledger(page).getByText(`Answer ${index}.`)).toBeVisible()
  }
  const rows = page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').getByRole('button')
  await expect(rows).toHaveText([/three/, /two/, /one/])
  expect(await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).tabIndex))).toEqual([0, -1, -1])
  await rows.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'one' })).toBeVisible()
})

test('the reason why a turn ended is shown in three lines with actions, and after Dismiss only in the ledger', async ({
  page,
  opened,
}, info) => {
  const { scripted } = await opened(
    ({ index }) => (index < 2 ? httpError(401, 'authentication_error', 'invalid x-api-key') : say('Better now.')),
    'Hello',
  )
  const tray = page.locator('[data-tray=error]')
  for (const term of ['What happened', 'What was kept', 'What to do']) await expect(tray.getByText(term)).toBeVisible()
  await expect(tray.getByRole('button', { name: 'Replace the key' })).toBeVisible()
  await expect(ledger(page).getByText('What was kept')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'error')
  await tray.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => scripted.requests.length).toBe(2)
  await tray.getByRole('button', { name: 'Dismiss' }).click()
  await expect(tray).toHaveCount(0)
  await expect(ledger(page).getByText('What was kept')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Needs you' })).toHaveCount(0)
  await send(page, 'Once more')
  await expect(ledger(page).getByText('Better now.')).toBeVisible()
})

test('an incomplete answer keeps its text, the interface stays usable, and the next message is answered', async ({ page, opened }) => {
  // The timeout is long because drawing millions of characters takes a minute on a busy machine.
  test.setTimeout(300_000)
  const delta = (words: string): string => namedFrame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } })
  const endless = [
    ...anthropicFrames(message([text('Again')]), 'm', '1').slice(0, 3),
    delta('and again, \n\n'.repeat(300)).repeat(2_200),
  ].join('')
  await opened(({ index }) => (index === 0 ? stream(endless) : say('Better now.')), 'Say it again')
  const tray = page.locator('[data-tray=error]')
  await expect(tray).toContainText('longer than the longest answer of any model', { timeout: 180_000 })
  await expect(ledger(page)).toContainText('and again,')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await tray.getByRole('button', { name: 'Dismiss' }).click()
  await send(page, 'Once more')
  await expect(ledger(page).getByText('Better now.')).toBeVisible({ timeout: 60_000 })
})

test('the notice of a failed turn stays dismissed after a restart, even at another address', async ({ page, desk, opened }) => {
  const first = await opened(() => httpError(401, 'authentication_error', 'invalid x-api-key'), 'Hello')
  await page.locator('[data-tray=error]').getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('region', { name: 'Needs you' })).toHaveCount(0)
  await first.kill9()
  // Another port is another origin, for which the browser's storage is empty.
  const second = await desk({ env: modelEnv(first.scripted) })
  expect(new URL(second.address).origin).not.toBe(new URL(first.address).origin)
  await page.goto(second.address)
  await expect(ledger(page).getByText('What was kept')).toBeVisible()
  await expect(page.locator('[data-tray=error]')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Needs you' })).toHaveCount(0)
})

test('the page keeps its content while the server is gone, and says what to do if the server comes back at another address', async ({
  page,
  desk,
  opened,
}, info) => {
  const first = await opened(() => say('Hello.'), 'Hello')
  const port = Number(new URL(first.address).port)
  await expect(ledger(page).getByText('Hello.')).toBeVisible()
  await composer(page).fill('unsent')
  await first.kill9()
  await expect(page.getByRole('alert').getByText('What was kept')).toBeVisible()
  await expect(page.getByRole('contentinfo').getByText('Connection lost')).toBeVisible()
  await expect(ledger(page).getByText('Hello.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'lost')
  await page.keyboard.press('Enter')
  await expect(composer(page)).toHaveValue('unsent')

  const second = await desk({ port, env: modelEnv(first.scripted) })
  await expect(page.getByRole('alert').getByText('Open the address that Countersign prints')).toBeVisible()
  await page.goto(second.address)
  await expect(ledger(page).getByText('Hello.')).toBeVisible()
  await expect(composer(page)).toHaveValue('unsent')
  await expect(page.getByText('What was kept')).toHaveCount(0)
})
