import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { composer, sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const lines = (change: Readonly<Record<number, string>>): string =>
  Array.from({ length: 20 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join('')
const edit = (from: string, to: string) => calls(call('edit_file', { file_path: 'a.txt', old_string: `${from}\n`, new_string: `${to}\n` }))

/** Six steps: one read, three edits of the same file, and two writes of other files. */
const script = [
  message([call('read_file', { file_path: 'a.txt' })]),
  edit('line 2', 'two'),
  edit('line 9', 'nine'),
  edit('line 16', 'sixteen'),
  calls(call('write_file', { file_path: 'new/b.txt', content: 'b\n' })),
  calls(call('write_file', { file_path: 'c.txt', content: 'c\n' })),
  say('Done.'),
]

async function fiveSteps(page: Page): Promise<void> {
  await send(page, 'Change them')
  for (const words of ['two', 'nine', 'sixteen', 'new/b.txt', 'c.txt']) await sign(page, words)
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
}

const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })
const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const read = (project: string, path: string): string => readFileSync(join(project, path), 'utf8')

test.beforeEach(async ({ put, opened }) => {
  await put('a.txt', lines({}))
  await opened(script)
})

test('one of five steps is undone, and later work, including the user’s own, is kept', async ({ page, places: { project } }) => {
  await fiveSteps(page)
  writeFileSync(join(project, 'a.txt'), lines({ 2: 'two', 9: 'nine', 16: 'sixteen', 19: 'mine' }))
  const line = page.locator('[data-step="2"]')
  const offer = line.getByRole('button', { name: 'Undo step 2…' })
  await line.hover()
  await offer.click()
  await expect(group(page, 'Merged')).toContainText('a.txt')
  await expect(page.locator('[data-line]', { hasText: 'line 2' }).first()).toBeVisible()
  await page.locator('[data-line-type=change-deletion]', { hasText: 'two' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
  await expect(page.getByRole('region', { name: 'Who wrote line 3' })).toContainText('Step 2')
  await page.locator('[data-line-type=change-addition]', { hasText: 'line 2' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
  await expect(page.getByRole('region', { name: 'Who wrote line 3' })).toContainText('The undo restores the line.')
  expect(read(project, 'a.txt')).toContain('two')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo step 2', exact: true }).click()
  await expect(composer(page)).toBeVisible()
  await expect(page.getByText('Undid step 2')).toBeVisible()
  await line.hover()
  await expect(line.getByRole('button', { name: /^Open .*a\.txt in the editor$/ })).toBeVisible()
  await expect(offer).toHaveCount(0)
  expect(read(project, 'a.txt')).toBe(lines({ 9: 'nine', 16: 'sixteen', 19: 'mine' }))
})

test(
  'in the preview, J and K move between hunks, Shift J and Shift K move between files, and the layout can be chosen',
  { tag: '@slow' },
  async ({ page }) => {
    await fiveSteps(page)
    await page.getByRole('button', { name: 'Go back…' }).click()
    const head = page.getByRole('main').locator('header')
    await expect(head).toContainText('hunk 1 of 3')
    await expect(head).toContainText('a.txt')
    await page.keyboard.press('j')
    await expect(head).toContainText('hunk 2 of 3')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(head).toContainText('c.txt')
    await page.keyboard.press('k')
    await expect(head).toContainText('a.txt')
    await page.keyboard.press('Shift+J')
    await expect(head).toContainText('c.txt')
    await page.keyboard.press('Shift+K')
    await expect(head).toContainText('a.txt')
    await page.getByRole('button', { name: 'Stacked' }).click()
    await expect(page.locator('[data-diff-type=single]')).toBeVisible()
    await page.getByRole('button', { name: 'Side by side' }).click()
    await expect(page.locator('[data-diff-type=split]')).toBeVisible()
  },
)

test(
  'a rollback skips a file that the user changed unless the user confirms that file, and the rollback can be undone',
  { tag: '@slow' },
  async ({ page, places: { project } }, info) => {
    await fiveSteps(page)
    writeFileSync(join(project, 'c.txt'), 'mine\n')
    await expect(page.getByText('2 files created, 1 modified.')).toBeVisible()
    await page.getByRole('button', { name: 'Go back…' }).click()
    await expect(group(page, 'Restored')).toContainText('a.txt')
    await expect(group(page, 'Deleted')).toContainText('b.txt')
    await expect(group(page, 'Skipped')).toContainText('you changed it since')
    await keepPictures(page, info, 'undo-preview')
    await page.getByRole('button', { name: 'Go back to before step 1' }).click()
    await expect(page.getByText('Went back to before the first step')).toBeVisible()
    expect(read(project, 'a.txt')).toBe(lines({}))
    expect([existsSync(join(project, 'new/b.txt')), read(project, 'c.txt')]).toEqual([false, 'mine\n'])
    await page.getByRole('button', { name: 'Redo…' }).click()
    await page.getByRole('button', { name: 'Redo what was undone' }).click()
    await expect(page.getByText('Redid what was undone')).toBeVisible()
    expect(read(project, 'a.txt')).toBe(lines({ 2: 'two', 9: 'nine', 16: 'sixteen' }))
    expect([read(project, 'new/b.txt'), read(project, 'c.txt')]).toEqual(['b\n', 'mine\n'])
    await page.getByRole('button', { name: 'Go back…' }).click()
    await page.getByLabel('Delete it anyway').check()
    await page.getByRole('button', { name: 'Go back to before step 1' }).click()
    await expect(page.getByText('Went back to before the first step')).toHaveCount(2)
    expect(existsSync(join(project, 'c.txt'))).toBe(false)
  },
)

test(
  'if every file was changed since, the conversation can go back alone, and the message is in the composer again',
  { tag: '@slow' },
  async ({ page, places: { project } }, info) => {
    await fiveSteps(page)
    for (const path of ['a.txt', 'new/b.txt', 'c.txt']) writeFileSync(join(project, path), 'mine\n')
    await page.getByRole('heading', { name: 'Change them', level: 2 }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Go back to before this message, files too…' }).click()
    await expect(group(page, 'Skipped')).toContainText('you changed it since')
    await keepPictures(page, info, 'conversation-only')
    await page.getByRole('button', { name: 'Go back in the conversation only' }).click()
    await expect(page.getByText('Moved the conversation to another point')).toBeVisible()
    await expect(composer(page)).toHaveValue('Change them')
    expect(read(project, 'c.txt')).toBe('mine\n')
  },
)

for (const [width, height] of [
  [900, 700],
  [700, 500],
] as const)
  test(
    `in a window of ${width} × ${height} a rollback can be dismissed with Escape or carried out`,
    { tag: '@slow' },
    async ({ page, places: { project } }) => {
      await fiveSteps(page)
      await page.setViewportSize({ width, height })
      const rollBack = page.getByRole('button', { name: 'Go back…' })
      await rollBack.click()
      const carryOut = page.getByRole('button', { name: 'Go back to before step 1' })
      await expect(carryOut).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(rollBack).toBeVisible()
      await rollBack.click()
      await page.getByRole('button', { name: 'Close preview' }).click()
      await rollBack.click()
      await carryOut.click()
      await expect(page.getByText('Went back to before the first step')).toBeVisible()
      expect(read(project, 'a.txt')).toBe(lines({}))
    },
  )

test(
  'lines that later work also changed are a conflict, and nothing is undone until every conflict is decided',
  { tag: '@slow' },
  async ({ page, places: { project } }, info) => {
    await fiveSteps(page)
    writeFileSync(join(project, 'a.txt'), lines({ 2: 'my two', 9: 'nine', 16: 'sixteen' }))
    await page.keyboard.press('Control+Shift+d')
    await steps(page).getByRole('button', { name: /^2/ }).click()
    await page.getByRole('button', { name: 'Undo step 2…' }).click()
    await expect(group(page, 'Conflicts')).toContainText('a.txt')
    const undo = page.getByRole('button', { name: 'Undo step 2', exact: true })
    await expect(undo).toHaveAttribute('aria-disabled', 'true')
    const conflict = page.getByRole('region', { name: 'Conflict', exact: true })
    expect(await conflict.evaluate((pane) => pane.scrollWidth - pane.clientWidth)).toBe(0)
    await keepPictures(page, info, 'undo-step')
    expect(await axeFindings(page)).toEqual([])
    await expect(page.getByText('The same lines were changed later, in steps 3 and 4 or by you')).toBeVisible()
    await page.keyboard.press('1')
    await expect(page.getByLabel('Keep these lines as they are now')).toBeChecked()
    await page.keyboard.press('2')
    await expect(page.getByLabel('Bring back what was there before step 2')).toBeChecked()
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('line 2')
    await keepPictures(page, info, 'undo-step-chosen')
    await page.keyboard.press('3')
    await expect(page.getByLabel('Your lines')).toBeFocused()
    await page.getByLabel('Your lines').fill('both twos')
    await undo.click()
    await expect(page.getByText('Undid step 2')).toBeVisible()
    expect(read(project, 'a.txt')).toBe(lines({ 2: 'both twos', 9: 'nine', 16: 'sixteen' }))
  },
)
