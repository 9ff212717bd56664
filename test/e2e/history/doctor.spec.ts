import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from 'playwright/test'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { ledger, openSession } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'
import { writeSession } from '../support/written-session.ts'

const light = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: /on disk/u })
const doctor = (page: Page) => page.getByRole('region', { name: 'Doctor' })

test(
  'the status strip speaks of storage only while a damaged event is not repaired',
  { tag: '@slow' },
  async ({ page, places, desk }, info) => {
    const whole = { data: places.data, folder: places.project, turns: 2 }
    await writeSession(whole)
    const damaged = await writeSession(whole)
    const first = await desk()
    await page.goto(first.address)
    await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: /Request 1/u })).toHaveCount(2)
    await expect(light(page)).toHaveCount(0)
    // The page runs a check when it opens. The damage must come after that check.
    await page.keyboard.press('Control+,')
    await expect(doctor(page)).toContainText('No damage found.')
    const db = new Database(join(places.data, 'countersign.db'))
    db.prepare(`UPDATE events SET event = substr(event, 1, 30) WHERE session_id = ? AND event LIKE '%Request 2%'`).run(damaged)
    db.close()
    await doctor(page).getByRole('button', { name: 'Check now' }).click()
    await expect(light(page)).toHaveText('2 on disk · 2 listed · 1 readable')
    await light(page).click()
    await expect(doctor(page)).toContainText('1 problem found.')
    for (const words of ['cannot be read', 'All other events of the session', 'set-aside.jsonl'])
      await expect(doctor(page).getByRole('list', { name: 'Findings' })).toContainText(words)
    await doctor(page).getByRole('list', { name: 'Findings' }).scrollIntoViewIfNeeded()
    await keepPictures(page, info, 'damaged')
    expect(await axeFindings(page)).toEqual([])

    await doctor(page).getByRole('button', { name: 'Repair', exact: true }).click()
    await expect(doctor(page).getByRole('region', { name: 'Repaired' })).toContainText('One damaged event')
    await expect(light(page)).toHaveCount(0)
    await keepPictures(page, info, 'repaired')
    await first.kill9()
    await page.goto((await desk()).address)
    await openSession(page, /Request 1/u)
    await expect(ledger(page)).toContainText('was damaged on disk and was set aside')
    await keepPictures(page, info, 'set-aside')
  },
)
