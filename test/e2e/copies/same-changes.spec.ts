import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, needsCopies, test } from '../support/desk-test.ts'
import { armed, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

const SCRIPT = [message([call('shell', { command: 'sh license.sh' })]), say('Done.')]

test(
  'the same change in many files is shown once, kept or refused by folder, and opens in the review',
  { tag: '@slow' },
  async ({ page, put, places, opened }, info) => {
    const put30 = async (folder: string): Promise<void> => {
      for (let n = 1; n <= 30; n++) await put(`${folder}/${n}.js`, `export const n = ${n}\n`)
    }
    await put30('src')
    await put30('vendor')
    await put('src/cli.js', '#!/usr/bin/env node\nmain()\n')
    await put('license.sh', "sed -i '1i // MIT' src/[0-9]*.js vendor/*.js; sed -i '1a // MIT' src/cli.js\n")
    await opened(SCRIPT, 'Every file needs its license')
    const request = tray(page)
    await expect(armed(page)).toHaveText(/Sign 61 files/u)
    await expect(request).toContainText('The same change in 60 files')
    await expect(request.getByText('// MIT', { exact: true })).toHaveCount(1)
    await expect(request).toContainText('Other changes in 1 file')
    await expect(request.locator('[data-hunk]')).toHaveCount(1)
    await expect(request.getByText('sh license.sh')).toHaveCount(1)
    await request.getByRole('checkbox', { name: '30 files in vendor/' }).uncheck()
    await request.getByRole('button', { name: 'List the 60 files' }).click()
    await request.getByRole('checkbox', { name: 'src/7.js' }).uncheck()
    await expect(armed(page)).toHaveText(/Sign 30 of 61 files/u)
    await keepPictures(page, info, 'many-files')

    // The Changes tab lists the files to sign, by kind of change or by folder. A press on a file leads to its part of the request.
    const waiting = page.getByRole('region', { name: 'Files to sign' }).first()
    await expect(waiting).toContainText('61 files')
    await expect(waiting).toContainText('to sign, 2 kinds of change')
    await expect(waiting.getByRole('heading').nth(1)).toHaveText('Other changes')
    await expect(waiting).toContainText('The same change, src/, 30 files')
    await waiting.getByRole('button', { name: 'src/cli.js' }).click()
    await expect(request.locator('[data-hunk]')).toHaveAttribute('aria-current', 'true')
    await waiting.getByRole('button', { name: 'By folder' }).click()
    await expect(waiting.getByRole('heading').nth(1)).toHaveText('src')
    await keepPictures(page, info, 'many-files-by-folder')

    await request.getByRole('button', { name: 'Open in review' }).click()
    await expect(page.getByRole('complementary', { name: 'Changed files' }).getByText('61 files', { exact: true })).toBeVisible()
    await expect(request).toContainText('nothing is written yet')
    await expect(armed(page)).toHaveText(/Sign 30 of 61 files/u)
    await keepPictures(page, info, 'many-files-review')

    // Keys move over the folders, and then over the other files. The diff follows.
    await page.keyboard.press('Control+j')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await expect(page.getByRole('main').locator('header').first()).toContainText('src/1.js')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(page.getByRole('main').locator('header').first()).toContainText('src/cli.js')
    // Its lines are shown above the tray, so the tray does not repeat them.
    await expect(request.locator('[data-hunk]').getByRole('button', { name: /^Show the lines in/u })).toBeVisible()
    await page.keyboard.press('n')
    await sign(page, 'Sign 29 of 61 files')
    await expect(tray(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    const text = (name: string): Promise<string> => readFile(join(places.project, name), 'utf8')
    expect(await text('src/1.js')).toBe('// MIT\nexport const n = 1\n')
    expect(await text('src/7.js')).toBe('export const n = 7\n')
    expect(await text('vendor/1.js')).toBe('export const n = 1\n')
    expect(await text('src/cli.js')).toBe('#!/usr/bin/env node\nmain()\n')
  },
)
