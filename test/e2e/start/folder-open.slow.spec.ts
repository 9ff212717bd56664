import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, openProject, test } from '../support/desk-test.ts'
import { composer } from '../support/on-the-desk.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Open a folder' })
const path = (page: Page) => dialog(page).getByRole('combobox', { name: 'Path of the folder' })
const trust = (page: Page) => page.getByRole('dialog', { name: 'Do you trust this folder?' })

async function openDialog(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
  await page.keyboard.press('Control+o')
  await expect(path(page)).toBeFocused()
}

test('a path is completed with Tab, part by part, and opened with Enter', async ({ page, places, desk }) => {
  await mkdir(join(places.project, 'packages/server'), { recursive: true })
  await mkdir(join(places.project, 'packages/client'), { recursive: true })
  const { address } = await desk()
  await openDialog(page, address)
  await path(page).fill(`${places.project}/pa`)
  await expect(dialog(page).getByRole('option')).toHaveText([/packages$/])
  await page.keyboard.press('Tab')
  await expect(path(page)).toHaveValue(`${places.project}/packages/`)
  await expect(dialog(page).getByRole('option')).toHaveText([/client$/, /server$/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(trust(page)).toContainText(`${places.project}/packages/server`)
})

test('a path in quotes is accepted, and if its folder has no subfolders, the dialog says that it can be opened', async ({
  page,
  places,
  desk,
}) => {
  const spaced = join(places.project, 'my own invoices')
  await mkdir(spaced)
  const { address } = await desk()
  await openDialog(page, address)
  for (const quote of ['"', "'"]) {
    await path(page).fill(`${quote}${spaced}${quote}`)
    await expect(dialog(page).getByRole('option')).toHaveText([spaced])
    await path(page).fill(`${quote}${spaced}/${quote}`)
    await expect(dialog(page)).toContainText('This folder can be opened.')
    await path(page).fill(`${quote}${spaced}x${quote}`)
    await expect(dialog(page)).toContainText('There is no folder with this path.')
  }
  await path(page).fill(`"${spaced}"`)
  await page.keyboard.press('Enter')
  await expect(trust(page)).toContainText(spaced)
})

test('the buttons of the trust question stay in place while an answer is saved', async ({ page, places, desk }) => {
  const { address, pid } = await desk()
  await openDialog(page, address)
  await path(page).fill(places.project)
  await page.keyboard.press('Enter')
  const buttons = trust(page).getByRole('contentinfo').or(trust(page).locator('footer')).first().getByRole('button')
  await expect(buttons).toHaveCount(2)
  const boxes = (): Promise<unknown> => Promise.all([buttons.nth(0).boundingBox(), buttons.nth(1).boundingBox()])
  await expect.poll(() => trust(page).evaluate((dialog) => dialog.getAnimations().length)).toBe(0)
  const before = await boxes()
  // The main process is paused so that its answer stays pending.
  process.kill(pid, 'SIGSTOP')
  try {
    await buttons.nth(1).click()
    await expect(buttons.nth(1)).toHaveAttribute('aria-busy', 'true')
    expect(await boxes()).toEqual(before)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('a path that is missing, unreadable or not a folder is reported in three lines, and can be corrected', async ({
  page,
  places,
  put,
  desk,
}) => {
  await put('file.txt', 'x')
  const { address } = await desk()
  await openDialog(page, address)
  for (const [typed, words] of [
    [join(places.project, 'nowhere'), 'There is no folder'],
    [join(places.project, 'file.txt'), 'is not a folder'],
  ] as const) {
    await path(page).fill(typed)
    await page.keyboard.press('Enter')
    const alert = dialog(page).getByRole('alert')
    await expect(alert).toContainText(words)
    await expect(alert).toContainText('What was kept')
    await expect(alert).toContainText('What to do')
    await expect(dialog(page).getByText('There is no folder with this path.')).toHaveCount(0)
    await expect(path(page)).toBeFocused()
  }
  if (process.getuid?.() !== 0) {
    const closed = join(places.project, 'closed')
    await mkdir(closed)
    await chmod(closed, 0)
    await path(page).fill(closed)
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('alert')).toContainText('may not read')
    await chmod(closed, 0o755)
  }
  await path(page).fill(places.project)
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(trust(page)).toBeVisible()
})

test('the trust question lists what opening the folder would load, and the answer "no" opens nothing and is remembered', async ({
  page,
  places,
  put,
  desk,
}) => {
  await put('AGENTS.md', 'Be kind.')
  await put('.mcp.json', '{}')
  const { address } = await desk()
  await openDialog(page, address)
  await path(page).fill(places.project)
  await page.keyboard.press('Enter')
  await expect(trust(page)).toContainText('AGENTS.md')
  await expect(trust(page)).toContainText('.mcp.json')
  await expect(trust(page).getByRole('button', { name: 'Do not trust it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(trust(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Start rehearsal/ })).toBeVisible()

  await page.keyboard.press('Control+o')
  await path(page).fill(places.project)
  await page.keyboard.press('Enter')
  await expect(trust(page)).toContainText('You answered no before.')
  await trust(page).getByRole('button', { name: 'Trust and open' }).click()
  await expect(composer(page)).toBeVisible()
})

test('leaving without an answer records no decision, and a folder opened before is offered again', async ({ page, places, desk }) => {
  const { address } = await desk()
  await openDialog(page, address)
  await path(page).fill(places.project)
  await page.keyboard.press('Enter')
  await expect(trust(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(trust(page)).toHaveCount(0)
  await openProject(page, places.project)
  await page.keyboard.press('Control+o')
  const recent = dialog(page).getByRole('option').first()
  await expect(recent).toHaveText(places.project)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(composer(page)).toBeVisible()
})

test('axe finds nothing in the folder dialog with an error, nor in the trust question', async ({ page, places, put, desk }) => {
  await put('AGENTS.md', 'Be kind.')
  const { address } = await desk()
  await openDialog(page, address)
  await path(page).fill(join(places.project, 'nowhere'))
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await path(page).fill(places.project)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(trust(page)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})
