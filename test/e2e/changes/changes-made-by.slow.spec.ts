import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, needsCopies, send, test } from '../support/desk-test.ts'
import { sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const FORMAT = "sed -i 's/two/TWO/' src/a.txt; echo c > src/c.txt"

test.describe('in a copy', () => {
  test('Changes shows the command that made each change, even for links and empty folders', async ({ page, put, opened }, info) => {
    needsCopies()
    await put('src/a.txt', 'one\ntwo\n')
    const edit = call('write_file', { file_path: 'src/b.txt', content: 'b\n' })
    const command = `${FORMAT}; ln -s a.txt src/link; mkdir empty`
    await opened([calls(call('shell', { command })), calls(edit), say('Done.')], 'Format')
    await sign(page, 'Sign what')
    await sign(page, 'src/b.txt')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Changes' }).click()
    for (const name of ['src/a.txt', 'src/c.txt'])
      await expect(page.getByRole('region', { name, exact: true })).toContainText(`made by ${FORMAT}`)
    await expect(page.getByRole('region', { name: 'src/b.txt', exact: true })).not.toContainText('made by')
    await expect(page.getByRole('region', { name: 'src/link', exact: true })).toContainText('new link')
    await expect(page.getByRole('region', { name: 'Changed folders' })).toContainText('New folders: empty/.')
    await keepPictures(page, info, 'tab')
    await page.keyboard.press('Control+Shift+d')
    await expect(page.getByRole('button', { name: /^a\.txt.*made by/ })).toBeVisible()
    await keepPictures(page, info, 'review')
    expect(await axeFindings(page)).toEqual([])
  })
})

test.describe('a command in the background', () => {
  test('Changes says that more changes may follow, and lists them once the command has ended', async ({
    page,
    put,
    places,
    opened,
  }, info) => {
    needsCopies()
    await put('src/a.txt', 'one\n')
    const command = 'until [ -e stop ]; do sleep 0.1; done; echo two >> src/a.txt'
    await opened([say('Ready.'), calls(call('shell', { command, run_in_background: true })), say('Started.')], 'Hello')
    await page.getByRole('combobox', { name: 'Mode', exact: true }).click()
    await page.getByRole('option', { name: /^auto/u }).click()
    await send(page, 'Watch')
    await expect(page.getByText('Started.', { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await expect(page.getByRole('region', { name: 'Not compared' })).toContainText(
      'may change files. The changes are listed if the command ends while Countersign runs.',
    )
    await keepPictures(page, info, 'running')
    await writeFile(join(places.project, 'stop'), '')
    await expect(page.getByRole('region', { name: 'src/a.txt', exact: true })).toContainText('changed while until')
    await expect(page.getByRole('region', { name: 'Not compared' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
    await keepPictures(page, info, 'ended')
    expect(await axeFindings(page)).toEqual([])
  })
})

test.describe('for real', () => {
  test.use({ sandbox: 'off' })
  test('changes of a command that ran for real are found afterwards, with a list of what was not compared', async ({
    page,
    put,
    opened,
  }, info) => {
    await put('src/a.txt', 'one\ntwo\n')
    await put('large.bin', 'x'.repeat(3 * 1024 ** 2))
    await opened([calls(call('shell', { command: `${FORMAT}; echo x >> large.bin` })), say('Done.')], 'Format')
    await sign(page)
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await expect(tray(page)).toHaveCount(0)
    await page.getByRole('tab', { name: 'Changes' }).click()
    await expect(page.getByRole('region', { name: 'src/a.txt', exact: true })).toContainText('found afterwards')
    await expect(page.getByRole('region', { name: 'Not compared' })).toContainText('too large to be kept for comparison: large.bin')
    await keepPictures(page, info, 'tab')
    await page.keyboard.press('Control+Shift+d')
    await expect(page.getByRole('region', { name: 'Not compared' })).toContainText('large.bin')
    await keepPictures(page, info, 'review')
    expect(await axeFindings(page)).toEqual([])
  })
})
