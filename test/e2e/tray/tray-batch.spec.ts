import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, composer, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

// In these tests, commands need a signature before they run. copies.spec.ts covers commands in copies.
test.use({ sandbox: 'off' })

const write = (name: string) => call('write_file', { file_path: name, content: `${name}\n` })
const round = message([
  write('b.txt'),
  call('shell', { command: 'echo ran > ran.txt' }),
  write('c.txt'),
  write('package.json'),
  write('d.txt'),
])

test('requests of one kind are shown in full and signed together, but commands and control files are signed one by one', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await put('a.txt', 'a\n')
  await opened([round, say('Done with all.')], 'Five steps')
  await armed(page).waitFor()
  await page.keyboard.press('Control+j')
  await tray(page).getByRole('button', { name: 'Show 3 edits together' }).focus()
  await page.keyboard.press('Enter')
  await expect(tray(page).getByRole('heading', { level: 2 })).toContainText('Sign 3 edits')
  await expect(tray(page).locator(':focus')).toHaveCount(1)
  for (const name of ['b.txt', 'c.txt', 'd.txt']) await expect(tray(page).getByRole('heading', { level: 3, name })).toBeVisible()
  await expect(tray(page)).not.toContainText('ran.txt')
  await expect(tray(page)).not.toContainText('package.json')
  await armed(page).waitFor()
  expect(await axeFindings(page)).toEqual([])
  // The keys for hunks work only in a tray with one request, so this button shows no key.
  await expect(
    tray(page)
      .locator('[data-hunk]')
      .getByRole('button', { name: /^Refuse / })
      .first()
      .locator('kbd'),
  ).toHaveCount(0)
  await keepPictures(page, info, 'batch')
  await tray(page).getByRole('button', { name: 'One by one' }).click()
  await expect(tray(page)).toContainText('1 of 5')
  await tray(page).getByRole('button', { name: 'Show 3 edits together' }).click()
  await armed(page).waitFor()
  expect(existsSync(join(places.project, 'b.txt'))).toBe(false)
  await tray(page).getByRole('group').first().focus()
  await page.keyboard.press('Control+Enter')
  // The first file is written at once. The other files wait for the command between them.
  await expect(tray(page).getByRole('heading', { level: 2 })).toContainText('Run echo ran > ran.txt')
  expect(existsSync(join(places.project, 'ran.txt'))).toBe(false)
  expect(existsSync(join(places.project, 'c.txt'))).toBe(false)
  await armed(page).click()
  await expect(tray(page)).toContainText('package.json')
  await armed(page).click()
  await expect(page.getByRole('paragraph').getByText('Done with all.')).toBeVisible()
  for (const name of ['b.txt', 'c.txt', 'd.txt', 'package.json'])
    expect(await readFile(join(places.project, name), 'utf8')).toBe(`${name}\n`)
})

test('a refused batch writes nothing, and a batch never takes the focus', { tag: '@slow' }, async ({ page, places, opened }) => {
  await opened([message([write('b.txt'), write('c.txt')]), say('As you wish.')], 'Two steps')
  await armed(page).waitFor()
  await tray(page).getByRole('button', { name: 'Show 2 edits together' }).click()
  await expect(composer(page)).toBeFocused()
  await armed(page).waitFor()
  await tray(page).getByRole('button', { name: 'Refuse all' }).click()
  await expect(page.getByRole('paragraph').getByText('As you wish.')).toBeVisible()
  await expect(composer(page)).toBeFocused()
  expect([existsSync(join(places.project, 'b.txt')), existsSync(join(places.project, 'c.txt'))]).toEqual([false, false])
})
