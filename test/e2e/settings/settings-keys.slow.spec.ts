import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { keepScreens } from '../support/screens.ts'
import { tray } from '../support/on-the-desk.ts'

const row = (page: Page, words: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Change the key for ${words}` }) })

const keptKeys = async (data: string): Promise<unknown> => JSON.parse(await readFile(join(data, 'settings.json'), 'utf8')).keys

async function change(page: Page, words: string, keys: string): Promise<void> {
  await page.getByRole('button', { name: `Change the key for ${words}` }).click()
  await expect(page.getByRole('button', { name: `New key for ${words}` })).toBeFocused()
  await page.keyboard.press(keys)
  await expect(page.getByRole('button', { name: `New key for ${words}` })).toHaveCount(0)
}

test('a changed shortcut works immediately, is shown in all hints, and is kept', async ({ page, opened, places }, info) => {
  await opened([calls(call('write_file', { path: 'a.txt', content: 'a\n' })), say('Written.')], 'Write a.txt')
  const kept = () => keptKeys(places.data)
  await expect(tray(page)).toContainText('Ctrl J')
  await page.keyboard.press('F1')
  await page.getByRole('button', { name: 'Change keys' }).click()
  await expect(page.getByRole('heading', { name: 'Keys', exact: true, level: 2 })).toBeInViewport()

  // Keys that are needed for typing cannot be reassigned. Escape leaves the key unchanged and the page open.
  await page.getByRole('button', { name: 'Change the key for Go to the next thing that needs me' }).click()
  await page.keyboard.press('x')
  await expect(page.getByText('X is needed for typing.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'Go to the next thing')).toContainText('Ctrl J')

  await change(page, 'Go to the next thing that needs me', 'Control+K')
  await expect(row(page, 'Go to the next thing')).toContainText('Ctrl K is also “All commands”. Only one of them works.')
  await expect(row(page, 'All commands')).toContainText('Ctrl K is also “Go to the next thing that needs me”.')
  await keepScreens(page, info, 'settings-keys')
  expect(await axeFindings(page)).toEqual([])
  await change(page, 'Go to the next thing that needs me', 'Control+U')
  await expect(page.getByText('Only one of them works')).toHaveCount(0)
  await change(page, 'Sign, in the tray', 'F9')
  await expect.poll(kept).toEqual({ need: 'Mod+U', sign: 'F9' })

  await page.keyboard.press('Escape')
  await expect(tray(page)).toContainText('Ctrl U')
  await expect(tray(page).getByRole('button', { name: /^Sign/ })).toContainText('F9')
  await page.keyboard.press('Control+J')
  await expect(tray(page)).not.toBeFocused()
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('option', { name: /Go to the next thing/ })).toContainText('Ctrl U')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+U')
  await expect(tray(page).getByRole('button', { name: /^Sign/ })).toHaveAttribute('data-armed', 'true')
  await page.keyboard.press('Control+Enter')
  await expect(tray(page)).toBeVisible()
  await page.keyboard.press('F9')
  await expect(page.getByText('Written.')).toBeVisible()
  await expect.poll(kept).toEqual({ need: 'Mod+U', sign: 'F9' })

  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'Reset the key for Sign, in the tray' }).click()
  await expect.poll(kept).toEqual({ need: 'Mod+U' })
  await page.getByRole('button', { name: 'No key for Search all sessions' }).click()
  await expect.poll(kept).toEqual({ need: 'Mod+U', history: '' })
  await page.getByRole('button', { name: 'Reset all keys' }).click()
  await expect.poll(kept).toEqual({})
  await expect(row(page, 'Go to the next thing')).toContainText('Ctrl J')
})

test('two shortcuts that are removed before main has saved the first are both removed', async ({ page, places, opened }) => {
  await opened([say('Hello.')])
  await page.keyboard.press('Control+,')
  const remove = (words: string) => page.getByRole('button', { name: `No key for ${words}` })
  const other = await remove('Search all sessions').elementHandle()
  // Both presses come within a millisecond, and main's answer needs longer.
  await remove('Sign, in the tray').evaluate(async (one, two) => {
    ;(one as HTMLElement).click()
    await new Promise((resolve) => setTimeout(resolve))
    ;(two as HTMLElement).click()
  }, other)
  await expect(row(page, 'Search all sessions')).toContainText('None')
  await expect.poll(() => keptKeys(places.data)).toEqual({ sign: '', history: '' })
})

test('if a shortcut is removed, no hint mentions it, and the request can still be signed with the pointer', async ({ page, opened }) => {
  await opened([calls(call('write_file', { path: 'a.txt', content: 'a\n' })), say('Written.')], 'Write a.txt')
  await expect(tray(page)).toContainText('to answer')
  await page.keyboard.press('Control+,')
  for (const words of ['Go to the next thing that needs me', 'Sign, in the tray'])
    await page.getByRole('button', { name: `No key for ${words}` }).click()
  await expect(row(page, 'Sign, in the tray')).toContainText('None')
  await page.keyboard.press('Escape')
  await expect(tray(page)).not.toContainText('to answer')
  await expect(tray(page).getByRole('button', { name: /^Sign/ })).not.toHaveAttribute('aria-keyshortcuts')
  await tray(page).getByRole('button', { name: /^Sign/ }).click()
  await expect(page.getByText('Written.')).toBeVisible()
})
