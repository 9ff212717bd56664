import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from 'playwright/test'
import { asOtherUser } from '../../store/support/other-user.ts'
import { message, say, text, thinking } from '../../support/scripted-model.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'
import { NO_SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { writeSession } from '../support/written-session.ts'

/** What a user sees in a window when storing fails: what happened, what was kept and what to do. Nothing is lost. */
const unsaved = (page: Page) => page.getByRole('contentinfo').getByText('Not being saved')

/** Checks that neither the start page nor the list of sessions looks as if there were no sessions. */
async function expectUnreadable(page: Page, ...words: readonly string[]): Promise<void> {
  const notice = page.getByRole('main', { name: 'Start' }).getByRole('alert')
  for (const term of ['What happened', 'What was kept', 'What to do']) await expect(notice.getByText(term)).toBeVisible()
  for (const one of words) await expect(notice).toContainText(one)
  const list = page.getByRole('region', { name: 'All sessions' })
  await expect(list).toContainText('The stored sessions cannot be read.')
  await expect(page.getByText('No sessions yet')).toHaveCount(0)
}

/** Checks what the Storage section of the settings page says about the failure. */
async function expectWords(page: Page, ...words: readonly (string | RegExp)[]): Promise<void> {
  await page.keyboard.press('Control+,')
  const storage = page.getByRole('region', { name: 'Storage' })
  for (const term of ['What happened', 'What was kept', 'What to do']) await expect(storage.getByText(term)).toBeVisible()
  for (const one of words) await expect(storage).toContainText(one)
  await page.keyboard.press('Escape')
}

const history = (folder: string): Database.Database => new Database(join(folder, 'countersign.db'))

test('storage locked by another program at the start is reported, and work continues unsaved', async ({ page, places, desk }, info) => {
  await writeSession({ data: places.data, folder: places.project, turns: 2 })
  const other = history(places.data)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE held (x)')
  const first = await desk()
  await page.goto(first.address)
  await expect(unsaved(page)).toBeVisible()
  await expectUnreadable(page, 'Another process keeps the history locked', 'Close other Countersign windows')
  await keepPictures(page, info, 'history-locked')
  await expectWords(
    page,
    'Another process keeps the history locked',
    join(places.data, 'countersign.db'),
    'Close other Countersign windows',
  )
  await first.kill9()
  other.exec('ROLLBACK')
  other.close()

  const second = await desk()
  await page.goto(second.address)
  await expect(ledger(page).getByText('Answer 2 ends.')).toBeVisible()
  await expect(unsaved(page)).toHaveCount(0)
})

test('a session whose storage gets locked continues, says that it is unsaved, and is saved once the lock is released', async ({
  page,
  places,
  desk,
  opened,
}) => {
  test.slow()
  const first = await opened(({ index }) => say(`Answer ${index}.`), 'Before')
  await expect(ledger(page).getByText('Answer 0.')).toBeVisible()
  const other = history(places.data)
  other.exec('BEGIN IMMEDIATE')
  await send(page, 'Meanwhile')
  await expect(unsaved(page)).toBeVisible()
  await expect(ledger(page).getByText('Answer 1.')).toBeVisible({ timeout: 30_000 })
  await expectWords(page, 'Another process keeps the history locked')
  other.exec('ROLLBACK')
  other.close()
  // If the lock blocked each attempt to save for a long time, the next attempt comes late, so this timeout is long.
  await expect(unsaved(page)).toHaveCount(0, { timeout: 40_000 })
  await first.kill9()

  const second = await desk()
  await page.goto(second.address)
  for (const words of ['Before', 'Answer 0.', 'Meanwhile', 'Answer 1.'])
    await expect(ledger(page).getByText(words, { exact: true })).toBeVisible()
})

test('a session on a full disk continues, says that it is unsaved, and is saved once there is space', async ({
  page,
  places,
  model,
  desk,
}) => {
  const disk = smallDisk(16)
  // This test fills a small separate disk, which only root may mount.
  test.skip(disk === null, NO_SMALL_DISK)
  if (!disk) return
  try {
    const scripted = await model(({ index }) =>
      message([...(index === 1 ? [thinking('x'.repeat(6_000_000))] : []), text(`Answer ${index}.`)]),
    )
    const first = await desk({ data: disk.path, env: modelEnv(scripted) })
    await page.goto(first.address)
    await openProject(page, places.project)
    await send(page, 'Before')
    await expect(ledger(page).getByText('Answer 0.')).toBeVisible()
    disk.fill()
    await send(page, 'Meanwhile')
    await expect(ledger(page).getByText('Answer 1.')).toBeVisible({ timeout: 70_000 })
    await expect(unsaved(page)).toBeVisible()
    await expectWords(page, 'The disk is full', 'Free some space')
    disk.free()
    await expect(unsaved(page)).toHaveCount(0)
    await first.kill9()

    const second = await desk({ data: disk.path })
    await page.goto(second.address)
    await expect(ledger(page).getByText('Before', { exact: true })).toBeVisible()
    await expect(ledger(page).getByText('Answer 1.')).toBeVisible()
    await second.kill9()
  } finally {
    disk.remove()
  }
})

test('sessions that cannot be read are not shown as "no sessions", and are listed once they can be read', async ({
  page,
  places,
  desk,
}) => {
  await writeSession({ data: places.data, folder: places.project, turns: 2 })
  const { address } = await desk()
  await page.goto(address)
  await expect(ledger(page).getByText('Answer 2 ends.')).toBeVisible()
  const list = page.getByRole('region', { name: 'All sessions' })
  const other = history(places.data)
  other.exec('ALTER TABLE sessions RENAME TO lost_sessions')
  await page.reload()
  await expectUnreadable(page, 'no such table', 'Check the data folder’s disk')
  other.exec('ALTER TABLE lost_sessions RENAME TO sessions')
  other.close()
  await expect(list.getByRole('button').first()).toBeVisible({ timeout: 40_000 })
  await expect(list).not.toContainText('cannot be read')
})

test('a history that a newer version has written is opened read-only, and the reason is shown', async ({ page, places, desk }) => {
  await writeSession({ data: places.data, folder: places.project, turns: 2 })
  const newer = history(places.data)
  newer.pragma('user_version = 10000')
  newer.close()
  const before = readFileSync(join(places.data, 'countersign.db'))
  const { address, stop } = await desk()
  await page.goto(address)
  await expect(ledger(page).getByText('Answer 2 ends.')).toBeVisible()
  await expect(unsaved(page)).toBeVisible()
  await expectWords(page, 'written by a newer version', 'It can be read here', 'Install the newer version')
  expect(await stop()).toBe(0)
  expect(readFileSync(join(places.data, 'countersign.db')).equals(before)).toBe(true)
})

test('a data folder that the user may not read is left unchanged, and the message names it and says what to do', async ({
  page,
  places,
  desk,
}) => {
  const by = asOtherUser()
  // File permissions do not stop root, so root must start the shell as another user, who must be able to run this checkout.
  test.skip(by === null || !canRead(by), 'needs Linux and root, who drops to another user, who may read this folder')
  if (!by) return
  await writeSession({ data: places.data, folder: places.project, turns: 2 })
  chmodSync(places.data, 0o700)
  const before = readFileSync(join(places.data, 'countersign.db'))
  const refusal = desk({ by })
  await expect(refusal).rejects.toThrow(places.data)
  await expect(refusal).rejects.toThrow(/belongs to another user.*Nothing was opened or changed.*--data DIR/s)
  expect(readFileSync(join(places.data, 'countersign.db')).equals(before)).toBe(true)

  const second = await desk()
  await page.goto(second.address)
  await expect(ledger(page).getByText('Answer 2 ends.')).toBeVisible()
})

/** Whether the user to whom this command switches can run Node and read this checkout. */
function canRead([program = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(program, [...args, process.execPath, '-e', `require('fs').readFileSync(${JSON.stringify(import.meta.filename)})`], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}
