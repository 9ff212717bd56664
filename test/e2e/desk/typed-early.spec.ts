import type { Page } from 'playwright/test'
import { gate, say } from '../../support/scripted-model.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { composer, ledger, openSession } from '../support/on-the-desk.ts'

/** Lets a test hold back everything that the shell sends to the page, as a busy machine does. */
async function slowShell(page: Page): Promise<{ readonly hold: () => void; readonly release: () => void }> {
  const held: (() => void)[] = []
  let isHolding = false
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((frame) => {
      if (isHolding) held.push(() => socket.send(frame))
      else socket.send(frame)
    })
  })
  return {
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const pass of held.splice(0)) pass()
    },
  }
}

for (const { title, tag, command } of [
  { title: 'Ctrl N', tag: [], command: (page: Page) => page.keyboard.press('Control+n') },
  {
    title: 'the button for a new session',
    tag: '@slow',
    command: (page: Page) => page.getByRole('button', { name: /^New session in/ }).click(),
  },
  {
    title: '/fork',
    tag: '@slow',
    command: async (page: Page) => {
      await composer(page).fill('/fork')
      await page.keyboard.press('Enter')
    },
  },
])
  test(
    `text and Enter typed right after ${title} go to the new session, however late it opens, and never to the old one`,
    { tag },
    async ({ page, model, desk, places }) => {
      const shell = await slowShell(page)
      const scripted = await model(({ index }) => say(index === 0 ? 'Done.' : 'Done anew.'))
      const { address } = await desk({ env: modelEnv(scripted) })
      await page.goto(address)
      await openProject(page, places.project)
      await send(page, 'The first')
      await expect(ledger(page).getByText('Done.')).toBeVisible()
      shell.hold()
      await command(page)
      await page.keyboard.type('for the new one')
      await page.keyboard.press('Enter')
      await page.keyboard.type('and more')
      await expect(composer(page)).not.toHaveValue(/for the new one/)
      shell.release()
      await expect(ledger(page).getByText('Done anew.')).toBeVisible()
      await expect(ledger(page).getByText('for the new one')).toBeVisible()
      await expect(composer(page)).toHaveValue('and more')
      await page
        .getByRole('navigation', { name: 'Sessions' })
        .getByRole('button', { name: /^The first/ })
        .last()
        .click()
      await expect(ledger(page).getByText('Done.', { exact: true })).toBeVisible()
      await expect(ledger(page).getByText('for the new one')).toHaveCount(0)
    },
  )

test(
  'text from an input method or dictation right after Ctrl N goes to the new session, and what was there before stays',
  { tag: '@slow' },
  async ({ page, model, desk, places }) => {
    const shell = await slowShell(page)
    const { address } = await desk({ env: modelEnv(await model(() => say('Done.'))) })
    await page.goto(address)
    await openProject(page, places.project)
    await send(page, 'The first')
    await expect(ledger(page).getByText('Done.')).toBeVisible()
    await composer(page).fill('for later')
    shell.hold()
    await page.keyboard.press('Control+n')
    await page.keyboard.insertText(' dictated')
    shell.release()
    await expect(ledger(page).getByText(/^Nothing has happened yet/u)).toBeVisible()
    await expect(composer(page)).toHaveValue(' dictated')
    await openSession(page, /^The first/)
    await expect(composer(page)).toHaveValue('for later')
  },
)

test(
  'R starts the rehearsal from the moment the start page shows it, even before the window has connected',
  { tag: '@slow' },
  async ({ page, desk }) => {
    const connects = gate()
    await page.routeWebSocket(/\/wire$/, async (socket) => {
      await connects.opened
      socket.connectToServer()
    })
    const { address } = await desk()
    await page.goto(address)
    await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
    await page.keyboard.press('r')
    await expect(page.getByRole('button', { name: /Starting/ })).toBeVisible()
    connects.open()
    await expect(page.getByText('Rehearsal, scripted')).toBeVisible()
  },
)
