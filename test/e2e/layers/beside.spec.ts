import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, needsCopies, send, test } from '../support/desk-test.ts'
import { ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

test('a session works beside the folder without asking, and its work is signed when it is brought in', async ({
  page,
  put,
  places,
  opened,
}, info) => {
  await put('a.txt', 'one\ntwo\n')
  await put('b.txt', 'b\n')
  await opened([message([call('shell', { command: "sed -i 's/two/TWO/' a.txt; rm b.txt; echo c > c.txt" })]), say('Done.')])
  await page.getByRole('textbox', { name: 'Message' }).fill('Change the files')
  await page.getByRole('combobox', { name: 'Where it works' }).click()
  await keepPictures(page, info, 'beside-where')
  await page.getByRole('option', { name: /beside/u }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Change the files')
  await send(page, 'Change the files')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await expect(tray(page)).toHaveCount(0)
  expect([await readFile(join(places.project, 'a.txt'), 'utf8'), existsSync(join(places.project, 'c.txt'))]).toEqual(['one\ntwo\n', false])
  await expect(page.getByText('3 files in the layer')).toBeVisible()
  await expect(page.getByText(/Writes beside/u)).toBeVisible()
  await keepPictures(page, info, 'beside')
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await expect(tray(page)).toContainText('Bring in what “Change the files” changed in its layer')
  await keepPictures(page, info, 'bring-in')
  await tray(page).getByRole('button', { name: 'Refuse b.txt' }).click()
  await sign(page, 'Sign 2 of 3 hunks')
  await expect(page.getByText('What you did not sign stays in the layer.')).toBeVisible()
  expect([await readFile(join(places.project, 'a.txt'), 'utf8'), existsSync(join(places.project, 'b.txt'))]).toEqual(['one\nTWO\n', true])
  await expect(ledger(page)).toContainText('Bring in')
  await keepPictures(page, info, 'brought-in')
  await page.getByRole('button', { name: /From Change the files/u }).click()
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await expect(tray(page)).toContainText('b.txt')
  await expect(tray(page)).not.toContainText('a.txt')
})
