import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { png } from '../../support/small-pictures.ts'
import { expect, needsCopies, send, test } from '../support/desk-test.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { ledger, tray } from '../support/on-the-desk.ts'
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
  await page.getByRole('button', { name: /^Work: /u }).click()
  await keepPictures(page, info, 'beside-where')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: /Beside/u })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.getByRole('button', { name: /^Work: /u }).click()
  await page.getByRole('radio', { name: /Beside/u }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Change the files')
  await send(page, 'Change the files')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await expect(tray(page)).toHaveCount(0)
  expect([await readFile(join(places.project, 'a.txt'), 'utf8'), existsSync(join(places.project, 'c.txt'))]).toEqual(['one\ntwo\n', false])
  await expect(page.getByRole('heading', { name: '3 files in the layer' })).toBeVisible()
  await expect(ledger(page)).toContainText('3 files in the layer')
  await expect(ledger(page).getByText('applied')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Sessions' }).or(page.getByLabel('All sessions')).getByText('New session')).toHaveCount(0)
  await expect(page.getByText(/Writes beside/u)).toBeVisible()
  await keepPictures(page, info, 'beside')
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await expect(page.getByRole('main')).toContainText('from Change the files')
  await page.getByRole('button', { name: 'Refuse b.txt' }).click()
  await page.getByRole('button', { name: 'Sign 2 of 3 hunks' }).click()
  await expect(page.getByText('Anything you did not sign stays in the layer.')).toBeVisible()
  expect([await readFile(join(places.project, 'a.txt'), 'utf8'), existsSync(join(places.project, 'b.txt'))]).toEqual(['one\nTWO\n', true])
  await expect(ledger(page)).toContainText('Bring in')
  await keepPictures(page, info, 'brought-in')
  await page.getByRole('button', { name: /From Change the files/u }).click()
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await expect(page.locator('[data-hunk]')).toContainText(['b.txt'])
})

test('a double click on a place moves the message, its pictures and its pasted texts once', async ({ page, opened }) => {
  await opened([say('Done.')])
  const message = page.getByRole('textbox', { name: 'Message' })
  const composer = page.getByRole('region', { name: 'Composer' })
  await message.fill('Change the files')
  await message.evaluate(
    (field, data) => {
      const paste = (transfer: DataTransfer): unknown =>
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
      const picture = new DataTransfer()
      const text = new DataTransfer()
      picture.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], 'image.png', { type: 'image/png' }))
      text.setData('text/plain', 'line\n'.repeat(99))
      paste(picture)
      paste(text)
    },
    png(8, 8, [190, 60, 50]).toString('base64'),
  )
  const pictures = composer.getByRole('list', { name: 'Pictures in this message' }).locator('img')
  await expect(pictures).toHaveCount(1)
  await expect(composer.getByText('100 lines')).toBeVisible()
  const rows = page.getByLabel('All sessions').getByText('New session', { exact: true })
  for (const [place, words] of [
    ['Beside', /^Work: beside$/u],
    ['Here', /^Work: here$/u],
  ] as const) {
    await page.getByRole('button', { name: /^Work: /u }).click()
    await page.getByRole('radio', { name: new RegExp(place, 'u') }).dblclick()
    await expect(page.getByRole('button', { name: words })).toBeVisible()
    await expect(message).toHaveValue('Change the files')
    await expect(pictures).toHaveCount(1)
    await expect(composer.getByText('100 lines')).toBeVisible()
    await expect(rows).toHaveCount(1)
  }
})

test(
  'the work of a session beside the folder becomes a branch with its agent’s commits',
  { tag: '@slow' },
  async ({ page, put, places, opened }, info) => {
    await put('a.txt', 'one\ntwo\n')
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=U', '-c', 'user.email=u@x', ...args], { cwd: places.project, encoding: 'utf8' }).trim()
    git('init', '-qb', 'main')
    git('add', '-A')
    git('commit', '-qm', 'First')
    const commit = "sed -i 's/two/TWO/' a.txt && git -c user.name=A -c user.email=a@x commit -qam Second && echo c > c.txt"
    await opened([message([call('shell', { command: commit })]), say('Done.')])
    await page.getByRole('button', { name: /^Work: /u }).click()
    await page.getByRole('radio', { name: /Beside/u }).click()
    await send(page, 'Change the files')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Make a branch…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a branch' })
    await dialog.getByRole('textbox', { name: 'Name of the branch' }).fill('change')
    await keepPictures(page, info, 'beside-branch')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('The branch change has 2 commits.')
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(git('log', '--format=%s', 'change').split('\n')).toEqual(['Change the files', 'Second', 'First'])
    expect([git('branch', '--show-current'), git('status', '--porcelain')]).toEqual(['main', ''])
  },
)

test(
  'what changes in the folder meanwhile is named, and taken into the layer with one press',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    const lines = (first: string): string => `${first}\n\n\n\ntwo\n`
    await put('a.txt', lines('one'))
    await put('b.txt', 'b\n')
    await opened([message([call('shell', { command: "sed -i 's/two/TWO/' a.txt; echo layer > b.txt" })]), say('Done.')])
    await page.getByRole('button', { name: /^Work: /u }).click()
    await page.getByRole('radio', { name: /Beside/u }).click()
    await expect(page.getByText(/^Writes beside/u)).toBeVisible()
    await send(page, 'Change the file')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await put('a.txt', lines('ONE'))
    await put('new.txt', 'new\n')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page.getByText(/files? changed in the folder since/u)).toBeVisible()
    await expect(page.getByText('and here too')).toBeVisible()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Changed in the folder meanwhile' })).toContainText('by you or another program')
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'moved-folder')
    await page.getByRole('button', { name: 'Take it into the layer' }).click()
    await expect(page.getByText(/changed in the folder since/u)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Changed in the folder meanwhile' })).toHaveCount(0)
    await put('b.txt', 'folder\n')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.getByRole('button', { name: 'Take it into the layer' }).click()
    await expect(page.getByText('in conflict, decided when you bring in')).toBeVisible()
    await keepPictures(page, info, 'moved-conflict')
    await page.getByRole('button', { name: 'Bring in…' }).click()
    await expect(page.locator('[data-hunk]')).toContainText(['b.txt', 'a.txt'])
    expect(await axeFindings(page)).toEqual([])
  },
)
