import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { openSession, sign, tray } from '../support/on-the-desk.ts'

test.use({ sandbox: 'off' })

const rows = (page: Page) => page.locator('.xterm-rows').last()

/** Returns the rows on screen, without trailing spaces. */
async function screenOf(page: Page): Promise<readonly string[]> {
  const texts = await rows(page).locator('> div').allInnerTexts()
  return texts.map((row) => row.trimEnd())
}

test('typed text reaches a running command, and a reload shows the same screen and continues', async ({ page, opened }) => {
  const command = `printf '\\033[32mready\\033[0m\\n'; read first; echo "got $first"; read second; echo "and $second"`
  await opened([calls(call('shell', { command, timeout_ms: 60_000 })), say('It ended.')])
  await page.keyboard.press('Control+2')
  await send(page, 'Run it')
  await sign(page)
  await expect(rows(page)).toContainText('ready')

  await page.getByRole('button', { name: /Type into this command/ }).click()
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText('got one')
  const before = await screenOf(page)

  await page.reload()
  await expect(rows(page)).toContainText('got one')
  await expect.poll(() => screenOf(page)).toEqual(before)
  await page.getByRole('button', { name: /Type into this command/ }).click()
  await page.keyboard.type('two')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText('and two')
  await expect(page.getByText('It ended.', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Commands of this session' })).toContainText('exit 0')
})

test('a command from before a restart is shown from its stored bytes, in color, with its exit code', async ({ page, desk, opened }) => {
  const command = `printf '\\033[31mred words\\033[0m\\n'; exit 3`
  const first = await opened([calls(call('shell', { command })), say('It failed.')], 'Run it')
  await sign(page)
  await expect(page.getByText('It failed.', { exact: true })).toBeVisible()
  await first.stop()

  const second = await desk()
  await page.goto(second.address)
  await openSession(page, /Run it/)
  await page.keyboard.press('Control+2')
  const list = page.getByRole('list', { name: 'Commands of this session' })
  await expect(list).toContainText('exit 3')
  await expect(rows(page)).toContainText('red words')
  const [words, plain] = await Promise.all([
    rows(page)
      .locator('span', { hasText: 'red words' })
      .evaluate((span) => getComputedStyle(span).color),
    rows(page).evaluate((element) => getComputedStyle(element).color),
  ])
  expect(words).not.toBe(plain)
})

test('a command’s block shows its step, folder, exit code and duration, and a refused command is shown as not run', async ({
  page,
  places,
  opened,
}) => {
  await opened([calls(call('shell', { command: '/bin/true' })), calls(call('shell', { command: '/bin/echo never' })), say('Understood.')])
  await page.keyboard.press('Control+2')
  await send(page, 'Run both')
  await sign(page)
  await expect(tray(page)).toContainText('echo never')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(page.getByText('Understood.', { exact: true })).toBeVisible()

  const blocks = page.getByRole('list', { name: 'Commands of this session' }).getByRole('listitem')
  await expect(blocks).toHaveCount(2)
  await expect(blocks.nth(0)).toContainText(/^1\/bin\/true.*exit 0.*(ms|s)/)
  await expect(blocks.nth(0)).toContainText(places.project)
  await expect(blocks.nth(1)).toContainText(/^2\/bin\/echo never.*refused/)
  await expect(blocks.nth(1)).toContainText('never ran')
  await expect(blocks.nth(1).locator('.xterm')).toHaveCount(0)
})

test('F6 leaves a running terminal, and the app’s other shortcuts go to the command in it', async ({ page, opened }) => {
  await opened([calls(call('shell', { command: '/bin/cat -v', timeout_ms: 60_000 })), say('It ended.')])
  await page.keyboard.press('Control+2')
  await send(page, 'Run it')
  await sign(page)
  await page.getByRole('button', { name: /Type into this command/ }).click()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText('^K')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const terminal = page.locator('.xterm-helper-textarea').last()
  await expect(terminal).toBeFocused()
  await page.keyboard.press('F6')
  await expect(terminal).not.toBeFocused()
  await terminal.focus()
  await page.keyboard.press('Control+c')
  await expect(page.getByText('It ended.', { exact: true })).toBeVisible()
})

test('axe finds nothing with one finished and one running command', async ({ page, opened }) => {
  await opened([
    calls(call('shell', { command: '/bin/echo one' })),
    calls(call('shell', { command: '/bin/echo two; read x', timeout_ms: 60_000 })),
    say('It ended.'),
  ])
  await page.keyboard.press('Control+2')
  await send(page, 'Run both')
  await sign(page)
  await expect(tray(page)).toContainText('echo two')
  await sign(page)
  await expect(rows(page)).toContainText('two')
  // The signed request is no longer in the tray.
  await expect(page.locator('[data-tray]')).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
})
