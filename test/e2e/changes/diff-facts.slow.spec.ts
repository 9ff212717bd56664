import { execFileSync } from 'node:child_process'
import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const TEXT = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join('')

test('modes, moves, binary files and whitespace are described wherever changes are shown', async ({
  page,
  put,
  opened,
  places: { project },
}, info) => {
  const script = await put('run.sh', 'echo hello\n')
  await chmod(script, 0o644)
  await put('old-name.txt', TEXT)
  await put('spaces.txt', TEXT)
  await writeFile(join(project, 'data.bin'), Buffer.from([0, 1, 2, 3]))
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: project })
  execFileSync('git', ['add', '--all'], { cwd: project })
  const command = "chmod 755 run.sh && mv old-name.txt new-name.txt && printf '\\0more' > data.bin && sed -i 's/line 7/line  7/' spaces.txt"
  await opened([calls(call('shell', { command })), say('Done.')], 'Tidy up')
  for (const words of ['Not text. 4 B before, 5 B after.', 'moved from', 'old-name.txt', 'run.sh', '755'])
    await expect(tray(page)).toContainText(words)
  await keepPictures(page, info, 'tray')
  await sign(page, 'data.bin')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()

  // Control+1 opens the Changes tab.
  await page.keyboard.press('Control+1')
  const tab = page.getByRole('complementary')
  await expect(tab).toContainText('moved from')
  await expect(tab).toContainText('executable')
  await page.getByRole('button', { name: 'Show the diff of run.sh' }).press('Enter')
  await expect(tab).toContainText('The file mode changes from 644 to 755.')
  await page.getByRole('button', { name: 'Show the diff of spaces.txt' }).press('Enter')
  await expect(tab.locator('[data-line-type=change-addition]', { hasText: 'line  7' })).toBeVisible()
  await page.getByRole('button', { name: 'Ignore spaces and tabs' }).press('Enter')
  await expect(tab).toContainText('Only spaces and tabs differ.')
  await keepPictures(page, info, 'tab')
  expect(await axeFindings(page)).toEqual([])

  // Control+Shift+D opens the review.
  await page.keyboard.press('Control+Shift+d')
  const files = page.getByRole('complementary')
  const row = (name: string) => files.getByRole('button', { name: new RegExp(`^${name.replace('.', '\\.')}`, 'u') })
  await expect(row('run.sh')).toContainText('executable')
  await expect(row('new-name.txt')).toContainText('moved')
  await row('run.sh').press('Enter')
  await expect(page.getByRole('main')).toContainText('The file mode changes from 644 to 755.')
  await expect(page.getByRole('main')).toContainText('Its content is unchanged.')
  await keepPictures(page, info, 'mode')
  await row('new-name.txt').press('Enter')
  await expect(page.getByRole('main')).toContainText('moved from old-name.txt')
  await row('data.bin').press('Enter')
  await expect(page.getByRole('main')).toContainText('Not text. 4 B before, 5 B after.')

  // The test now shows the changes of the folder as git reports them.
  await page.getByRole('radio', { name: 'Folder' }).press('Space')
  await page
    .getByRole('region', { name: 'Not staged' })
    .getByRole('button', { name: /^run\.sh/u })
    .press('Enter')
  await expect(page.getByRole('main')).toContainText('The file mode changes from 100644 to 100755.')

  // Undoing the step also restores the file's permission bits.
  await page.getByRole('radio', { name: 'Step' }).press('Space')
  await page.getByRole('button', { name: /^Undo step 1/u }).press('Enter')
  await expect(page.getByRole('complementary').getByRole('button', { name: /run\.sh/u })).toBeVisible()
  await keepPictures(page, info, 'undo')
  await page.getByRole('button', { name: /^Undo/u }).last().press('Enter')
  await expect.poll(async () => (await stat(script)).mode & 0o777).toBe(0o644)
})
