import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright/test'
import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { newSession, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

interface Shown {
  readonly title: string
  readonly body: string
}

/** Records the notifications that the page shows. Headless Chromium does not display them. */
async function watchNotifications(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const all: Notification[] = []
    const Real = Notification
    Object.assign(window, { shownNotifications: all })
    window.Notification = class extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        all.push(this)
      }
    }
  })
}
const shown = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate(() =>
    (window as unknown as { shownNotifications: readonly Notification[] }).shownNotifications.map(({ title, body }) => ({ title, body })),
  )

/** Simulates the window losing the focus. A page that Playwright drives always has the focus. */
async function away(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => false })
    dispatchEvent(new Event('blur'))
  })
}
async function back(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus')
    dispatchEvent(new Event('focus'))
  })
}

const command = () => calls(call('shell', { command: 'echo one >> made.txt' }))

test(
  'a request that comes while two windows are in the background is announced once, and a click shows the session',
  { tag: '@slow' },
  async ({ page, context, places, model, desk }) => {
    const first = gate()
    await context.grantPermissions(['notifications'])
    await watchNotifications(context)
    const scripted = await model(async ({ index }) => {
      if (index > 0) return say('Done.')
      await first.opened
      return command()
    })
    const { address } = await desk({ env: modelEnv(scripted) })
    await page.goto(address)
    await openProject(page, places.project)
    await send(page, 'Write a line')
    await expect(page.getByRole('button', { name: 'Stop' }).first()).toBeVisible()
    await newSession(page)
    const opened = page.waitForEvent('popup')
    await page.evaluate(() => void open(location.href))
    const other = await opened
    await expect(other.getByText(/^Nothing has happened yet\./)).toBeVisible()
    await Promise.all([away(page), away(other)])
    first.open()
    const both = async (): Promise<readonly Shown[]> => (await Promise.all([shown(page), shown(other)])).flat()
    await expect.poll(both).toEqual([{ title: 'Write a line', body: expect.stringMatching(/^Needs you: /) }])
    await expect(other).toHaveTitle(/needs you|Sign/)
    await expect(page).toHaveTitle(/needs you|Sign/)
    const teller = (await shown(page)).length === 1 ? page : other
    await teller.keyboard.press('Control+,')
    await expect(tray(teller)).toHaveCount(0)
    await teller.evaluate(() =>
      (window as unknown as { shownNotifications: readonly Notification[] }).shownNotifications[0]?.dispatchEvent(new Event('click')),
    )
    await expect(teller.getByRole('heading', { level: 1 })).toHaveText('Write a line')
    // The request is on screen but not answered, and keys that are pressed too early cannot answer it.
    await back(teller)
    await expect(tray(teller)).toContainText('echo one >> made.txt')
    for (const key of ['Enter', 'Control+Enter', 'Space']) await teller.keyboard.press(key)
    await expect(tray(teller).locator('[data-armed]')).toHaveAttribute('data-armed', 'true')
    expect(existsSync(join(places.project, 'made.txt'))).toBe(false)
    await sign(teller)
    await expect(teller.getByRole('paragraph').getByText('Done.')).toBeVisible()
    expect(await both()).toHaveLength(1)
  },
)

test(
  'a finished turn is announced only if the setting is on and the window is in the background',
  { tag: '@slow' },
  async ({ page, context, opened }) => {
    const gates = [gate(), gate(), gate()]
    await context.grantPermissions(['notifications'])
    await watchNotifications(context)
    await opened(async ({ index }) => {
      await gates[index]?.opened
      return say(`Answer ${index}.`)
    }, 'First')
    await away(page)
    gates[0]?.open()
    await expect(page).toHaveTitle(/Finished/)
    expect(await shown(page)).toEqual([])
    await back(page)
    await page.keyboard.press('Control+,')
    await page.getByRole('combobox', { name: 'Notifications' }).click()
    await page.getByRole('option', { name: 'Also when a turn finishes' }).click()
    await expect(page.getByText(/^Saved/).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await send(page, 'Second')
    gates[1]?.open()
    await expect(page.getByRole('paragraph').getByText('Answer 1.')).toBeVisible()
    await send(page, 'Third')
    await away(page)
    gates[2]?.open()
    await expect.poll(() => shown(page)).toEqual([{ title: 'First', body: 'Finished' }])
    await page.reload()
    await away(page)
    await expect(page.getByRole('paragraph').getByText('Answer 2.')).toBeVisible()
    expect(await shown(page)).toEqual([])
  },
)

test(
  'the settings ask the browser for permission to notify, and say how to undo a refusal',
  { tag: '@slow' },
  async ({ page, context, desk }, info) => {
    await context.addInitScript(() => {
      // This simulates the user's answer to the browser's permission prompt, which no page and no test can reach.
      let permission: NotificationPermission = 'default'
      Object.defineProperty(Notification, 'permission', { get: () => permission })
      Notification.requestPermission = () => {
        permission = 'denied'
        return Promise.resolve(permission)
      }
    })
    const { address } = await desk()
    await page.goto(address)
    await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
    await page.keyboard.press('Control+,')
    const setting = page.getByRole('region', { name: 'This computer' })
    await setting.getByRole('button', { name: 'Allow notifications' }).scrollIntoViewIfNeeded()
    await keepPictures(page, info, 'settings-computer')
    await setting.getByRole('button', { name: 'Allow notifications' }).click()
    await expect(setting).toContainText('This browser blocks notifications')
    await expect(setting).toContainText('Open the site settings beside the address')
    await keepPictures(page, info, 'settings-notifications-refused')
    await setting.getByRole('combobox', { name: 'Notifications' }).click()
    await page.getByRole('option', { name: 'Off' }).click()
    await expect(setting).not.toContainText('This browser blocks notifications')
  },
)
