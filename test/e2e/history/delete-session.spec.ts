import { readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { ledger, sign } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((all, entry) => all + statSync(join(entry.parentPath, entry.name)).size, 0)

async function choose(page: Page, title: string, entry: string): Promise<void> {
  const row = page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').filter({ hasText: title }).first()
  await row.hover()
  await row.getByRole('button', { name: 'More for this session' }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

const group = (page: Page, name: string) => page.getByRole('navigation', { name: 'Sessions' }).getByRole('region', { name, exact: true })

/** Makes the database contain pages that a clean-up returns to the disk. */
function leaveEmptyPages(file: string): void {
  const db = new Database(file)
  db.exec('CREATE TABLE waste AS SELECT zeroblob(100000) AS bytes; DROP TABLE waste')
  db.close()
}

test('deleting a session first shows its size, and frees disk space', async ({ page, opened, places: { data, project } }, info) => {
  await writeFile(join(data, 'settings.json'), JSON.stringify({ storageQuota: 1_000 }))
  const large = Array.from({ length: 5_000 }, (_, at) => `line ${at} of a large file`).join('\n')
  await opened([calls(call('write_file', { file_path: 'large.txt', content: large })), say('Written.'), say('Second answer.')], 'Write it')
  await sign(page, 'large.txt')
  await expect(ledger(page)).toContainText('Written.')
  await page.keyboard.press('Control+N')
  await expect(ledger(page)).toContainText('Nothing has happened yet')
  await send(page, 'Another one')
  await expect(ledger(page)).toContainText('Second answer.')

  const before = bytesIn(data)
  await choose(page, 'Write it', 'Delete…')
  const dialog = page.getByRole('dialog', { name: 'Delete sessions' })
  await expect(dialog.getByRole('button', { name: /^Delete [\d,]+ bytes$/ })).toBeVisible()
  await keepScreens(page, info, 'delete-session')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Delete [\d,]+ bytes$/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Sessions' })).not.toContainText('Write it')
  await expect.poll(() => before - bytesIn(data)).toBeGreaterThan(100_000)
  expect(statSync(join(project, 'large.txt')).size).toBe(large.length)
  await expect(ledger(page)).toContainText('Second answer.')
  await page.getByRole('button', { name: /^History .* of 1\.0.kB$/u }).click()
  await expect(page.getByText(/ over the limit$/)).toBeInViewport()
  await page.getByRole('button', { name: 'Delete the oldest…' }).click()
  await dialog.getByRole('button', { name: /^Delete [\d,]+ bytes$/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('No session is left to delete that is neither pinned nor working. Set a higher limit.')).toBeVisible()
})

test(
  'sessions are pinned, archived and grouped by day, and the storage page says how much space they use',
  { tag: '@slow' },
  async ({ page, opened, places: { data } }, info) => {
    await opened([say('One.'), say('Two.')], 'First request')
    await expect(ledger(page)).toContainText('One.')
    await page.keyboard.press('Control+N')
    await expect(ledger(page)).toContainText('Nothing has happened yet')
    await send(page, 'Second request')
    await expect(ledger(page)).toContainText('Two.')
    await choose(page, 'First request', 'Pin')
    await expect(group(page, 'Pinned')).toContainText('First request')
    await choose(page, 'Second request', 'Archive')
    await expect(page.getByRole('navigation', { name: 'Sessions' })).not.toContainText('Second request')
    await page.getByRole('button', { name: 'Group the sessions' }).click()
    await page.getByRole('menuitem', { name: 'Show archived sessions' }).click()
    await expect(group(page, 'Archived')).toContainText('Second request')
    await choose(page, 'Second request', 'Take out of the archive')
    await page.getByRole('button', { name: 'Group the sessions' }).click()
    await page.getByRole('menuitem', { name: 'By day' }).click()
    await expect(group(page, 'Today')).toContainText('Second request')
    await keepScreens(page, info, 'sessions-groups')
    await page.reload()
    await expect(group(page, 'Today')).toContainText('Second request')
    await expect(group(page, 'Pinned')).toContainText('First request')

    leaveEmptyPages(join(data, 'countersign.db'))
    await page.keyboard.press('Control+,')
    await expect(page.getByRole('region', { name: 'By project' })).toContainText('2 sessions')
    const largest = page.getByRole('region', { name: 'Largest sessions' })
    await expect(largest).toContainText('First request')
    await largest.scrollIntoViewIfNeeded()
    await keepScreens(page, info, 'storage')
    expect(await axeFindings(page)).toEqual([])
    const cleanUp = page.getByRole('button', { name: 'Clean up' })
    await cleanUp.click()
    await expect(page.getByText(/^Removed 0 bytes\./)).toBeVisible()
    await expect(cleanUp).toHaveAccessibleDescription('Nothing to remove')
    await expect(cleanUp).toBeDisabled()
    await cleanUp.scrollIntoViewIfNeeded()
    await keepScreens(page, info, 'storage-clean')
    await largest.getByRole('button', { name: 'Delete Second request' }).click()
    await page
      .getByRole('dialog', { name: 'Delete sessions' })
      .getByRole('button', { name: /^Delete [\d,]+ bytes$/ })
      .click()
    await expect(page.getByRole('region', { name: 'By project' })).toContainText('1 session')
    await expect(largest).not.toContainText('Second request')
  },
)
