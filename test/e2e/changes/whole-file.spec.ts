import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { ledger, sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

// Without a sandbox a subagent's edits are its own steps, and a command changes the folder itself.
test.use({ sandbox: 'off' })

const whole = (page: Page) => page.getByRole('group', { name: /^Whole file/u })
const words = (page: Page, line: number) => whole(page).locator(`[data-column-number="${line}"] [data-by-words]`)
const kind = (page: Page, line: number) => whole(page).locator(`[data-column-number="${line}"]`).getAttribute('data-by')
const edit = (line: number, to: string) =>
  calls(call('edit_file', { file_path: 'a.ts', old_string: `value${line} = ${line}\n`, new_string: `value${line} = '${to}'\n` }))

test(
  'the whole file shows who wrote each line, and links to the session and step',
  { tag: '@slow' },
  async ({ page, places, put, opened }, info) => {
    await put('a.ts', Array.from({ length: 300 }, (_, at) => `export const value${at + 1} = ${at + 1}\n`).join(''))
    const file = join(places.project, 'a.ts')
    const rounds = new Map<string, number>()
    const script = {
      first: [calls(call('read_file', { file_path: 'a.ts' })), edit(30, 'by the first session'), say('Marked.')],
      child: [calls(call('read_file', { file_path: 'a.ts' })), edit(40, 'by the subagent'), say('Changed it.')],
      second: [
        calls(call('read_file', { file_path: 'a.ts' })),
        edit(5, 'by the edit tool'),
        calls(call('shell', { command: 'sed -i "s/value10 = 10$/value10 = \'by the command\'/" a.ts' })),
        calls(call('task', { agent_type: 'code', prompt: 'child: change forty', description: 'Change forty' })),
        say('Ready for you.'),
        calls(call('read_file', { file_path: 'a.ts' })),
        edit(250, 'by the last step'),
        say('All done.'),
      ],
    }
    await opened(({ body }) => {
      const who = (/\b(?:first|second|child)\b/u.exec(JSON.stringify(body.messages[0]?.content))?.[0] ?? 'second') as keyof typeof script
      const round = rounds.get(who) ?? 0
      rounds.set(who, round + 1)
      return script[who][round] ?? say('Nothing more.')
    }, 'first: mark thirty')
    await sign(page, 'by the first session')
    await expect(ledger(page)).toContainText('Marked.')
    await page
      .getByRole('button', { name: /^New session/u })
      .first()
      .press('Enter')
    await expect(page.getByRole('main')).not.toContainText('Marked.')
    await send(page, 'second: change the rest')
    await sign(page, 'by the edit tool')
    await sign(page, 'by the command')
    await sign(page, 'by the subagent')
    await expect(ledger(page)).toContainText('Ready for you.')
    await writeFile(file, (await readFile(file, 'utf8')).replace('value20 = 20\n', "value20 = 'by hand'\n"))
    await send(page, 'Go on')
    await sign(page, 'by the last step')
    await expect(ledger(page)).toContainText('All done.')

    // The test opens the whole file from the list of files, and then with a key.
    await page.keyboard.press('Control+Shift+d')
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^a\.ts/u })
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Whole file' }).click()
    await expect(words(page, 30)).toHaveText('Step 2, first: mark thirty')
    await expect(words(page, 5)).toHaveText(/^Step \d$/u)
    await expect(words(page, 20)).toHaveText('You')
    await expect(words(page, 40)).toHaveText(/^Step \d+, code$/u)
    await expect(words(page, 1)).toHaveText('Before')
    expect(await Promise.all([1, 5, 10, 20, 30, 40].map((line) => kind(page, line)))).toEqual([
      'earlier',
      'edit',
      'command',
      'outside',
      'session',
      'subagent',
    ])
    await whole(page).locator('[data-line="10"]').hover()
    await expect(whole(page)).toContainText(/line 10: step \d+: .*sed -i/u)
    await expect(whole(page).getByRole('list', { name: 'Who wrote the lines' }).getByRole('listitem')).toHaveCount(6)
    await keepPictures(page, info, 'whole-file')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('w')
    await expect(whole(page)).toHaveCount(0)

    // The test opens the whole file from a line of the diff. That line, far down the file, is visible.
    await page.getByText('by the last step').first().click({ button: 'right' })
    await keepPictures(page, info, 'menu')
    await page.getByRole('menuitem', { name: 'Show in the whole file' }).click()
    await expect(whole(page).locator('[data-line="250"]')).toBeInViewport()
    await expect(whole(page).locator('[data-line="250"]')).toContainText('by the last step')
    await keepPictures(page, info, 'at-a-line')
    // For a removed line, the whole file is shown in the version that still contains the line.
    await page.keyboard.press('w')
    await page.locator('[data-line-type=change-deletion]', { hasText: 'value250 = 250' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show in the whole file' }).click()
    await expect(whole(page).getByRole('radio', { name: 'Before' })).toBeChecked()
    await expect(whole(page).locator('[data-line="250"]')).toContainText('value250 = 250')
    await page.keyboard.press('Escape')

    // The test opens the whole file from a line under a step in the ledger. The version of that step is shown.
    await ledger(page).getByRole('button', { name: 'Show what changed' }).last().press('Enter')
    await ledger(page).getByText('by the last step').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show in the whole file' }).click()
    await expect(page.getByRole('radio', { name: 'Step' })).toBeChecked()
    await expect(whole(page).locator('[data-line="250"]')).toBeInViewport()
    await page.keyboard.press('Escape')

    // The text beside a line opens the session at the step that wrote the line.
    await page.keyboard.press('Control+Shift+d')
    await page.keyboard.press('w')
    await page.getByRole('button', { name: /^Line 30, written by Step 2, first/u }).press('Enter')
    await expect(ledger(page)).toContainText('Marked.')
    await expect(ledger(page).getByText('a.ts').first()).toBeInViewport()
  },
)
