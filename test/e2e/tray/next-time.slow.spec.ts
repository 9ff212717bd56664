import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, needsCopies, test } from '../support/desk-test.ts'
import { armed, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const runs = (command: string) => message([call('shell', { command })])

test.describe('in a copy', () => {
  needsCopies()

  test('a rule for a command’s changes is tried on the history, and created with the signature', async ({
    page,
    opened,
    put,
    places,
  }, info) => {
    const file = await put('a.txt', 'a\n')
    await opened([runs('echo b >> a.txt'), runs('echo b >> a.txt'), runs('rm a.txt; echo b >> a.txt'), say('Done.')], 'Change it twice')
    await expect(armed(page)).toBeVisible()
    await tray(page).getByRole('combobox', { name: 'Next time' }).click()
    await page.getByRole('option', { name: 'This project', exact: true }).click()
    await expect(tray(page)).toContainText('Exactly echo b >> a.txt, from a copy, and only inside the project.')
    await expect(tray(page)).toContainText('Would have allowed 1 of your last 1 command, and none that you refused.')
    await keepPictures(page, info, 'copy-effects-next')
    expect(await axeFindings(page)).toEqual([])
    await sign(page)
    // The second run of the command needs no approval. The third command line is different, so it needs one.
    await expect(tray(page)).toContainText('rm a.txt')
    expect(await readFile(file, 'utf8')).toBe('a\nb\nb\n')
    await expect(tray(page).getByRole('combobox', { name: 'Next time' })).toHaveText(/Ask/u)
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await expect(ledger(page)).toContainText('1 file applied')
    const rules = JSON.parse(await readFile(join(places.data, 'rules.json'), 'utf8')) as unknown
    expect(rules).toMatchObject({
      rules: [
        {
          answer: 'allow',
          when: { kind: 'command', pattern: 'echo b >> a.txt', inCopy: true },
          where: { kind: 'project', folder: places.project },
        },
      ],
    })
  })
})

test.describe('changes to ignored places', () => {
  needsCopies()

  test('need a signature the first time, and are applied without approval once the proposed rule exists', async ({
    page,
    opened,
    put,
  }, info) => {
    await put('.gitignore', 'dist/\n')
    const file = await put('dist/a.js', '1\n')
    await opened([runs('echo 2 >> dist/a.js'), runs('echo 3 >> dist/a.js && echo 4 >> dist/b.js'), say('Done.')], 'Build it')
    await expect(armed(page)).toBeVisible()
    await tray(page).getByRole('combobox', { name: 'Next time' }).click()
    await keepPictures(page, info, 'next-time-ignored')
    await page.getByRole('option', { name: 'Changes to ignored dist, this project' }).click()
    await expect(tray(page)).toContainText('All changes to dist, which git ignores, by commands and by edits.')
    await expect(tray(page)).toContainText('Would have allowed 1 of your last 1 command')
    await sign(page)
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(await readFile(file, 'utf8')).toBe('1\n2\n3\n')
    await expect(ledger(page)).toContainText('2 files applied')
  })
})

test.describe('a rule to run the command without a copy next time', () => {
  needsCopies()

  for (const [option, says, after] of [
    ['Confined, this project', 'in the folder itself: it writes nowhere else', 'confined'],
    ['For real, this project', 'for real and without a copy first', ''],
  ] as const)
    test(option, async ({ page, opened, put }, info) => {
      const file = await put('a.txt', 'a\n')
      await opened([runs('echo b >> a.txt'), runs('echo b >> a.txt'), say('Done.')], 'Change it twice')
      await expect(armed(page)).toBeVisible()
      await tray(page).getByRole('combobox', { name: 'Next time' }).click()
      await keepPictures(page, info, 'next-time-ways')
      await page.getByRole('option', { name: option }).click()
      await expect(tray(page)).toContainText(says)
      await expect(tray(page)).toContainText('Would have allowed 1 of your last 1 command')
      await sign(page)
      await expect(page.getByText('Done.', { exact: true })).toBeVisible()
      expect(await readFile(file, 'utf8')).toBe('a\nb\nb\n')
      const second = ledger(page).getByRole('listitem').filter({ hasText: 'echo b' }).nth(1)
      await expect(second).toContainText(after)
      await expect(second).not.toContainText('1 file applied')
    })
})

test.describe('for real', () => {
  test.use({ sandbox: 'off' })

  test('a rule for a command allows it the next time in this session, but a command that may delete data gets no rule', async ({
    page,
    opened,
    places,
  }, info) => {
    await opened([runs('touch a.txt'), runs('touch a.txt'), runs('rm -rf build'), say('Done.')], 'Touch it')
    await expect(armed(page)).toBeVisible()
    await expect(tray(page).getByRole('radio', { name: 'Yes, everywhere' })).toBeVisible()
    await tray(page).getByRole('radio', { name: 'Yes, this session' }).check()
    await expect(tray(page)).toContainText('Exactly touch a.txt, for real.')
    await expect(tray(page)).toContainText('Would have allowed 1 of your last 1 command')
    await keepPictures(page, info, 'next-time-for-real')
    await sign(page)
    await expect(tray(page)).toContainText('rm -rf build')
    await expect(tray(page)).toContainText('The command may delete data, which always needs your signature.')
    await expect(tray(page).getByRole('radio', { name: 'Yes, this session' })).toHaveAttribute('aria-disabled', 'true')
    await keepPictures(page, info, 'next-time-deletes')
    const rules = JSON.parse(await readFile(join(places.data, 'rules.json'), 'utf8')) as { rules: readonly unknown[] }
    expect(rules.rules).toMatchObject([{ when: { kind: 'command', pattern: 'touch a.txt' }, where: { kind: 'session' } }])
  })
})
