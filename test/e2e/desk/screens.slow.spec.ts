import { call, httpError, message, say, text, thinking } from '../../support/scripted-model.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

/**
 * Main states that the rehearsal passes through too quickly or never reaches. `rehearsal.spec.ts` takes the screenshots of the other
 * states.
 */

test('a screenshot of work in progress: a read, a thought, and a command in its terminal', async ({ page, put, opened }, info) => {
  await put('src/totals.ts', 'export const total = (cents: readonly number[]): number => cents.reduce((a, b) => a + b, 0)\n')
  await put('src/totals.test.ts', "import { total } from './totals.ts'\n")
  const command = `printf '\\033[32m✓\\033[0m totals of nothing\\n\\033[32m✓\\033[0m totals of two\\n'; sleep 60`
  await opened([
    message([
      thinking('The total is made in one place.'),
      text('I look at where the total is made, and at its test.'),
      call('read_file', { file_path: 'src/totals.ts' }),
      call('read_file', { file_path: 'src/totals.test.ts' }),
    ]),
    message([text('Both are short. I run the tests before I change anything.'), call('shell', { command, timeout_ms: 90_000 })]),
  ])
  await page.keyboard.press('Control+2')
  await send(page, 'Why does the total lose a cent? Fix it.')
  await expect(page.locator('.xterm-rows').last()).toContainText('totals of two')
  await expect(ledger(page).getByRole('group', { name: 'Output so far' })).toContainText('totals of two')
  await expect(page.locator('[data-tray]')).toHaveCount(0)
  await keepScreens(page, info, 'running')
})

test('a screenshot of a turn that failed: what happened, what was kept, what to do', async ({ page, put, opened }, info) => {
  await put('notes.md', '# Notes\n')
  await opened(
    ({ index }) =>
      index === 0
        ? message([text('I read the notes first.'), call('read_file', { file_path: 'notes.md' })])
        : index === 1
          ? httpError(401, 'authentication_error', 'invalid x-api-key')
          : say('Never asked.'),
    'Put the notes in order',
  )
  const tray = page.locator('[data-tray=error]')
  for (const term of ['What happened', 'What was kept', 'What to do']) await expect(tray.getByText(term)).toBeVisible()
  await keepScreens(page, info, 'error')
})
