import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { keepPictures } from '../support/pictures.ts'

const pane = (page: Page, title: string) =>
  page.locator('[data-session-pane]').filter({ has: page.getByRole('heading', { name: title, level: 1 }) })
const row = (page: Page, title: RegExp) => page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: title }).first()

test('two sessions are shown side by side, each with its message field and its requests, until one is closed', async ({
  page,
  opened,
}, info) => {
  await opened(({ body }) => {
    const asked = JSON.stringify(body.messages[0]?.content)
    const name = asked.includes('alpha') ? 'alpha' : 'beta'
    return JSON.stringify(body.messages).includes('tool_result')
      ? say(`Done with ${name}.`)
      : calls(call('write_file', { file_path: `${name}.txt`, content: `${name}\n` }))
  }, 'Write alpha')
  await expect(page.locator('[data-tray=needs]')).toBeVisible()
  await page.keyboard.press('Control+n')
  await expect(page.getByRole('main')).toContainText('Nothing has happened yet')
  await send(page, 'Write beta')
  await expect(page.locator('[data-tray=needs]')).toContainText('beta.txt')
  await row(page, /Write alpha/u).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show beside the current one' }).click()
  const alpha = pane(page, 'Write alpha')
  const beta = pane(page, 'Write beta')
  await expect(alpha).toHaveAttribute('data-keys', '')
  await expect(alpha.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await expect(beta.locator('[data-tray=needs]')).toContainText('beta.txt')
  await keepPictures(page, info, 'pair')
  expect(await axeFindings(page)).toEqual([])

  // Each request is signed in its own pane, and the other one still waits.
  await beta.locator('[data-armed=true]').click()
  await expect(beta).toContainText('Done with beta.')
  await expect(beta).toHaveAttribute('data-keys', '')
  await expect(alpha.locator('[data-tray=needs]')).toContainText('alpha.txt')
  await beta.getByRole('textbox', { name: 'Message' }).fill('Go on with beta')
  await alpha.getByRole('textbox', { name: 'Message' }).fill('Go on with alpha')
  await expect(alpha).toHaveAttribute('data-keys', '')
  await page.reload()
  await expect(beta.getByRole('textbox', { name: 'Message' })).toHaveValue('Go on with beta')
  await expect(alpha.getByRole('textbox', { name: 'Message' })).toHaveValue('Go on with alpha')

  await page.setViewportSize({ width: 900, height: 700 })
  await keepPictures(page, info, 'narrow')
  await beta.getByRole('button', { name: 'Close Write beta' }).click()
  await expect(page.locator('[data-session-pane]')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Write alpha', level: 1 })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()

  // Ctrl+Tab switches between the two sessions that were shown last.
  await page.keyboard.press('Control+Tab')
  await expect(page.getByRole('heading', { name: 'Write beta', level: 1 })).toBeVisible()
})
