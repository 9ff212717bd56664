import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, needsCopies, send, test } from '../support/desk-test.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const text = (change: Readonly<Record<number, string>>): string => `${LINES.map((line, at) => change[at + 1] ?? line).join('\n')}\n`

const run = (command: string) => message([call('shell', { command })])
const sets = (page: Page) => page.getByRole('list', { name: 'Change sets' })

test('what a session did beside the folder is brought in by step and hunk, checked first, with one signature', async ({
  page,
  put,
  places,
  opened,
}, info) => {
  await put('src/a.txt', text({}))
  await put('b.txt', 'b\n')
  await opened([
    run("sed -i 's/two/TWO/' src/a.txt"),
    run("sed -i -e 's/five/LAYER/' src/a.txt && rm b.txt"),
    run('echo c > c.txt; ln -s b.txt link; mkfifo pipe'),
    say('Done.'),
  ])
  await page.getByRole('button', { name: /^Work: /u }).click()
  await page.getByRole('radio', { name: /Beside/u }).click()
  await expect(page.getByText(/^Writes beside/u)).toBeVisible()
  await send(page, 'Change the files')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await expect(sets(page).getByRole('listitem')).toHaveCount(3)
  await expect(sets(page).getByRole('listitem').nth(1)).toContainText('step 2')
  await expect(page.getByText('Not brought in, because only files and links are: pipe (pipe).')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'bring-in-sets')
  await sets(page).getByRole('checkbox').nth(2).uncheck()
  await expect(sets(page).getByRole('listitem').nth(2)).toContainText('stays in the layer')
  await page
    .getByRole('textbox', { name: 'Before signing, run in a copy of the result' })
    .fill('grep -q nothing src/a.txt || { echo missing; exit 2; }')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByText('failed', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Output of the check')).toContainText('missing')
  await keepPictures(page, info, 'bring-in-failed')
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.getByLabel('Output of the check')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'bring-in-900')
  await page.setViewportSize({ width: 1280, height: 800 })
  const hold = page.getByRole('button', { name: 'Hold to sign 3 of 5 hunks' })
  await page.reload()
  await expect(page.getByText('failed', { exact: true })).toBeVisible()
  await hold.click()
  await expect(hold).toBeVisible()
  expect(existsSync(join(places.project, 'b.txt'))).toBe(true)
  await page.getByRole('button', { name: 'Another check' }).click()
  await page.getByRole('textbox', { name: 'Before signing, run in a copy of the result' }).fill('grep -q TWO src/a.txt && test ! -e c.txt')
  await page.keyboard.press('Enter')
  await expect(page.getByText('passed', { exact: true })).toBeVisible()
  await keepPictures(page, info, 'bring-in-passed')
  await page.getByRole('button', { name: 'Sign 3 of 5 hunks' }).click()
  await expect(page.getByText('Anything you did not sign stays in the layer.')).toBeVisible()
  expect(await readFile(join(places.project, 'src/a.txt'), 'utf8')).toBe(text({ 2: 'TWO', 5: 'LAYER' }))
  expect((await readdir(places.project)).toSorted()).toEqual(['src'])
  await page.getByRole('button', { name: 'Bring in what is left' }).click()
  await expect(page.getByText('A link to b.txt.')).toBeVisible()
  await keepPictures(page, info, 'bring-in-link')
  await page.getByRole('button', { name: 'Sign 2 hunks' }).click()
  await expect.poll(() => readlink(join(places.project, 'link')).catch(() => null)).toBe('b.txt')
})

test('a conflict with the folder shows both sides, and is solved by choosing or writing lines', async ({
  page,
  put,
  places,
  opened,
}, info) => {
  await put('a.txt', text({}))
  await opened([run("sed -i -e 's/two/LAYER/' -e 's/seven/SEVEN/' a.txt"), say('Done.')])
  await page.getByRole('button', { name: /^Work: /u }).click()
  await page.getByRole('radio', { name: /Beside/u }).click()
  await expect(page.getByText(/^Writes beside/u)).toBeVisible()
  await send(page, 'Change the file')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Bring in…' }).click()
  const sign = page.getByRole('button', { name: 'Sign 2 hunks' })
  await expect(sign).toBeEnabled()
  await put('a.txt', text({ 2: 'FOLDER' }))
  await sign.click()
  await expect(page.getByText('It has changed since you signed it, so nothing was done.')).toBeVisible()
  const conflict = page.getByRole('region', { name: 'Conflict 1 of 1 in a.txt' })
  await expect(conflict).toContainText('In the folder')
  await expect(page.getByRole('button', { name: /Sign 1 hunk/u })).toHaveAttribute('aria-disabled', 'true')
  await conflict.getByRole('radio', { name: /Both/u }).check()
  await expect(conflict).toContainText('The result, against the folder')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'bring-in-conflict')
  await page.setViewportSize({ width: 900, height: 700 })
  await keepPictures(page, info, 'bring-in-conflict-900')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Change the file' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await expect(conflict.getByRole('radio', { name: /Both/u })).toBeChecked()
  await page.getByRole('button', { name: 'Sign 1 hunk' }).click()
  await expect(page.getByText('Anything you did not sign stays in the layer.')).toBeVisible()
  expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe(text({ 2: 'FOLDER\nLAYER', 7: 'SEVEN' }))
})

test(
  'what the user leaves out is kept over a reload and a switch to another session, and double clicks on Refuse and Sign count once',
  { tag: '@slow' },
  async ({ page, places, opened }) => {
    await opened([run('echo a > a.txt'), run('echo b > b.txt'), say('Done.')])
    await page.getByRole('button', { name: /^Work: /u }).click()
    await page.getByRole('radio', { name: /Beside/u }).click()
    await expect(page.getByText(/^Writes beside/u)).toBeVisible()
    await send(page, 'Make two files')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    const bringIn = page.getByRole('button', { name: 'Bring in…' })
    await bringIn.dblclick()
    await expect(sets(page).getByRole('listitem')).toHaveCount(2)
    await sets(page).getByRole('checkbox').nth(1).uncheck()
    const sign = page.getByRole('button', { name: 'Sign 1 of 2 hunks' })
    await expect(sign).toBeVisible()
    await page.reload()
    await expect(sign).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+n')
    await expect(page.getByText(/^Nothing has happened yet/u)).toBeVisible()
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Make two files/u })
      .last()
      .click()
    await bringIn.click()
    await expect(sign).toBeVisible()
    await sign.dblclick()
    await expect(page.getByText('Anything you did not sign stays in the layer.')).toHaveCount(1)
    expect(existsSync(join(places.project, 'a.txt'))).toBe(true)
    expect(existsSync(join(places.project, 'b.txt'))).toBe(false)
    const rest = page.getByRole('button', { name: 'Bring in what is left' })
    await rest.click()
    await page.getByRole('button', { name: 'Sign 1 hunk' }).click()
    await expect(page.getByText('Anything you did not sign stays in the layer.')).toHaveCount(2)
    expect(existsSync(join(places.project, 'b.txt'))).toBe(true)
    await expect(page.getByRole('button', { name: /^Back to/u })).toBeVisible()
    await expect(rest).toHaveCount(0)
  },
)
