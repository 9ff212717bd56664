import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test('a changed file opens in the chosen editor from the ledger, from Changes, from the review and with a key', async ({
  page,
  places,
  opened,
}, info) => {
  const bin = join(places.data, 'bin')
  const log = join(places.data, 'opened')
  await mkdir(bin, { recursive: true })
  for (const name of ['code', 'kate']) {
    await writeFile(join(bin, name), `#!/bin/sh\necho "${name} $*" >> "${log}"\n`)
    await chmod(join(bin, name), 0o755)
  }
  const path = `${bin}:${process.env['PATH']}`
  await opened(
    ({ index }) => (index === 0 ? calls(call('write_file', { file_path: 'made.txt', content: 'one\n' })) : say('Done.')),
    'Write a file',
    (scripted) => ({ ...modelEnv(scripted), PATH: path, DISPLAY: ':0', VISUAL: 'vim' }),
  )
  await sign(page)
  await expect(page.getByRole('paragraph').getByText('Done.')).toBeVisible()
  const file = join(places.project, 'made.txt')
  const lines = async (): Promise<readonly string[]> => (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1)
  const open = page.getByRole('button', { name: /^Open .*made\.txt in the editor$/ })
  await expect(page.getByRole('button', { name: /in the file manager/ })).toHaveCount(0)

  const inLedger = page.locator('[data-step]').getByRole('button', { name: /made\.txt in the editor$/ })
  // The buttons of a row appear only while the row has the pointer or the focus.
  await expect(inLedger).toHaveCount(0)
  await page.locator('[data-step]').getByRole('button', { name: 'Show what changed' }).focus()
  await page.keyboard.press('Tab')
  await expect(inLedger).toBeFocused()
  await inLedger.hover()
  await keepPictures(page, info, 'ledger-file')
  await inLedger.click()
  await expect.poll(lines).toEqual([`code ${file}`])
  const changes = page.getByRole('region', { name: 'made.txt' })
  await changes.hover()
  await keepPictures(page, info, 'changes-file')
  await changes.getByRole('button', { name: /in the editor$/ }).click()
  await expect.poll(lines).toHaveLength(2)
  await page.keyboard.press('Control+Shift+E')
  await expect.poll(lines).toHaveLength(3)

  await page.keyboard.press('Control+,')
  const setting = page.getByRole('region', { name: 'This computer' })
  await expect(setting).toContainText('needs a terminal')
  await page.getByRole('combobox', { name: 'Editor' }).click()
  await page.getByRole('option', { name: 'Kate' }).click()
  await expect(page.getByRole('combobox', { name: 'Editor' })).toContainText('Kate')
  await keepPictures(page, info, 'editor-setting')
  await page.setViewportSize({ width: 700, height: 500 })
  await setting.scrollIntoViewIfNeeded()
  await keepPictures(page, info, 'editor-setting-700')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+D')
  await open.first().waitFor()
  await keepPictures(page, info, 'review-file')
  await open.first().click()
  await expect.poll(lines).toContain(`kate ${file}`)
})
