import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright/test'
import { call, calls, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { sign } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

const LINES = Array.from({ length: 40 }, (_, at) => `export const value${at + 1} = ${at + 1}\n`)
const withLines = (change: Readonly<Record<number, string>>): string => LINES.map((line, at) => change[at + 1] ?? line).join('')
const edit = (path: string, line: number, to: string) =>
  calls(call('edit_file', { file_path: path, old_string: `value${line} = ${line}\n`, new_string: `value${line} = ${to}\n` }))

/** Three edits of one file, and a new file. After the next message, one of the edits is changed again. */
const script = [
  message([call('read_file', { file_path: 'src/values.ts' })]),
  edit('src/values.ts', 3, '30'),
  edit('src/values.ts', 20, '200'),
  edit('src/values.ts', 36, '360'),
  calls(call('write_file', { file_path: 'notes.md', content: '# Notes\n\nvalues changed\n' })),
  say('Done.'),
  calls(call('edit_file', { file_path: 'src/values.ts', old_string: 'value20 = 200\n', new_string: 'value20 = 2_000\n' })),
  say('Changed again.'),
]

const head = (page: Page) => page.getByRole('main').locator('header').first()
const hunk = (page: Page) => page.getByRole('group', { name: 'Current hunk' })
const seen = (page: Page) => page.getByRole('region', { name: 'Seen' })

test.beforeEach(async ({ put, places: { project } }) => {
  await put('src/values.ts', withLines({}))
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: project, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  for (const [name, value] of Object.entries({ 'user.name': 'Test', 'user.email': 'test@example.com', 'commit.gpgsign': 'false' }))
    git('config', name, value)
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
})

async function fourSteps(page: Page): Promise<void> {
  await send(page, 'Multiply three values by ten. Then note it')
  for (const words of ['value3 = 30', 'value20 = 200', 'value36 = 360', 'values changed']) await sign(page, words)
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  await expect(head(page)).toContainText('hunk 1 of 3')
}

test('in a review by keyboard, hunks are marked as seen, commented on and committed', async ({
  page,
  opened,
  places: { project },
}, info) => {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: project, encoding: 'utf8' })
  const { scripted } = await opened(script)
  await fourSteps(page)
  await expect(seen(page)).toContainText('0 of 4 hunks seen')
  const changedWord = page.locator('[data-line-type=change-addition] [data-diff-span]').first()
  await expect(changedWord).toHaveText('30')
  await expect(changedWord).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  // The test marks the first hunk as seen, then marks the second hunk as seen and comments on it.
  await page.keyboard.press('Space')
  await expect(hunk(page)).toContainText('Seen')
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(seen(page)).toContainText('2 of 4 hunks seen')
  await page.keyboard.press('c')
  await page.keyboard.type('make it two thousand')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Comment on line 20' })).toContainText('make it two thousand')
  await keepScreens(page, info, 'review-comment')
  expect(await axeFindings(page)).toEqual([])

  // The comment is sent with the next message.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Comments in this message' })).toContainText('src/values.ts:20')
  await keepScreens(page, info, 'review-composer')
  await send(page, 'Please')
  await sign(page, 'value20 = 2_000')
  await expect(page.getByText('Changed again.', { exact: true })).toBeVisible()
  const sent = JSON.stringify(scripted.requests.at(-2)?.body)
  expect(sent).toContain('src/values.ts, line 20:\\\\n> export const value20 = 200\\\\n\\\\nmake it two thousand'.replaceAll('\\\\', '\\'))
  await expect(page.getByRole('list', { name: 'Comments in this message' })).toHaveCount(0)

  // The hunk that was changed again is no longer marked as seen.
  await page.keyboard.press('Control+Shift+d')
  await expect(seen(page)).toContainText('1 of 4 hunks seen')
  await expect(seen(page)).toContainText('1 changed after you saw it')
  await page.keyboard.press('j')
  await expect(hunk(page)).toContainText('Changed after you saw it')
  await keepScreens(page, info, 'review-again')
  await page.getByRole('button', { name: 'Compare with what I saw' }).press('Enter')
  await expect(page.locator('[data-line-type=change-deletion]', { hasText: 'value20 = 200' })).toBeVisible()
  await expect(page.locator('[data-line]', { hasText: 'value3 = 3' }).first()).toBeHidden()
  await page.getByRole('button', { name: 'Compare with what I saw' }).press('Enter')
  await expect(hunk(page)).toContainText('Changed after you saw it')
  await page.getByRole('main').focus()
  await page.keyboard.press('Space')
  await expect(seen(page)).toContainText('2 of 4 hunks seen')

  // The test stages two of the three hunks and commits them.
  await page.getByRole('radio', { name: 'Folder' }).press('Space')
  await expect(head(page)).toContainText('hunk 1 of 3')
  await page.keyboard.press('s')
  await expect(page.getByRole('region', { name: 'Staged', exact: true })).toContainText('src/values.ts')
  await expect(head(page)).toContainText('hunk 1 of 2')
  await page.keyboard.press('s')
  await expect(head(page)).toContainText('hunk 1 of 1')
  expect(git('show', ':src/values.ts')).toBe(withLines({ 3: 'export const value3 = 30\n', 20: 'export const value20 = 2_000\n' }))
  const field = page.getByRole('textbox', { name: 'Commit message' })
  await expect(field).toHaveValue('Multiply three values by ten')
  await keepScreens(page, info, 'review-stage')
  expect(await axeFindings(page)).toEqual([])
  await field.fill('Multiply two values\n\nBy ten, and by a hundred.')
  await field.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: /^Committed [0-9a-f]{7}/ })).toBeVisible()
  expect(git('log', '-1', '--format=%B').trim()).toBe('Multiply two values\n\nBy ten, and by a hundred.')
  expect(git('show', '--stat', '--format=')).toContain('2 insertions(+), 2 deletions(-)')
  expect(git('status', '--porcelain').split('\n').filter(Boolean)).toEqual([' M src/values.ts', '?? notes.md'])
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test(
  'whitespace can be ignored, and a file that is not text can be reviewed and staged as a whole',
  { tag: '@slow' },
  async ({ page, opened, places: { project } }, info) => {
    const command = `echo ${PNG} | base64 -d > dot.png && sed -i 's/= 7$/=  7/' src/values.ts`
    await opened([calls(call('shell', { command })), say('Done.')], 'Draw a dot')
    await sign(page, 'dot.png')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+Shift+d')
    await expect(head(page)).toContainText('src/values.ts')
    await expect(page.locator('[data-line-type=change-addition]', { hasText: 'value7 =' })).toBeVisible()
    await page.getByRole('button', { name: 'Ignore spaces and tabs' }).click()
    await expect(page.getByText('Only spaces and tabs differ.')).toBeVisible()
    await page.keyboard.press('Shift+J')
    await expect(page.getByRole('figure', { name: 'After the change' })).toContainText('1 × 1')
    await expect(page.getByRole('figure', { name: 'Before the change' })).toContainText('There was no such file')
    await page.getByRole('main').focus()
    await page.keyboard.press('Space')
    await expect(seen(page)).toContainText('1 of 2 hunks seen')
    await keepScreens(page, info, 'review-picture')
    await page.getByRole('radio', { name: 'Folder' }).press('Space')
    await page.getByRole('complementary').getByRole('button', { name: 'dot.png' }).press('Enter')
    await expect(hunk(page)).toContainText('Stage file')
    await page.keyboard.press('Shift+S')
    await expect(page.getByRole('region', { name: 'Staged', exact: true })).toContainText('dot.png')
    expect(execFileSync('git', ['diff', '--cached', '--name-only'], { cwd: project, encoding: 'utf8' })).toBe('dot.png\n')
  },
)
