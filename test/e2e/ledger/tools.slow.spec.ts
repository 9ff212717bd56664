import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, ledger, tray } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

test.use({ sandbox: 'off' })

/** Sets full mode, in which steps inside the folder need no approval, so that a session of many steps finishes quickly. */
async function inMode(data: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'settings.json'), JSON.stringify({ mode: 'full', ...more }))
}

/** The removed and the added lines of a diff. */
const changed = (place: Locator): Locator => place.locator('[data-line][data-line-type^=change]')

const step = (page: Page, number: number): Locator => ledger(page).locator(`[data-step="${number}"]`)
const commands = (page: Page): Locator => page.getByRole('list', { name: 'Commands of this session' }).getByRole('listitem')

/** Opens every folded part of the ledger. */
async function unfold(page: Page): Promise<void> {
  const folded = ledger(page).getByRole('button', { expanded: false })
  while ((await folded.count()) > 0) await folded.first().click()
}

const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'a', execution_count: 1, metadata: {}, source: ['print(1)'], outputs: [] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
})
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const todo = (id: string, content: string, status: string) => ({ id, content, status, priority: 'high' })

async function project(put: (path: string, text: string) => Promise<string>): Promise<void> {
  await put('src/a.ts', 'export const a = 1\nexport const one = a\n')
  await put('src/b.ts', "import { a } from './a.ts'\n\nexport const b = a\n")
  await put('old.ts', 'gone\n')
  await put('book.ipynb', NOTEBOOK)
}

test('every step that reads, searches, writes or plans says what happened, and can be unfolded to show its result', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await project(put)
  await writeFile(join(places.project, 'plan.png'), Buffer.from(PIXEL, 'base64'))
  await inMode(places.data)
  await opened(
    [
      calls(
        call('read_file', { file_path: 'src/a.ts' }),
        call('read_file', { file_path: 'src/b.ts', limit: 1 }),
        call('read_file', { file_path: 'plan.png' }),
        call('read_file', { file_path: 'src/aa.ts' }),
        call('notebook_read', { file_path: 'book.ipynb' }),
        call('read_file', { file_path: 'old.ts' }),
      ),
      calls(
        call('write_file', { file_path: 'src/new.ts', content: 'export const c = 3\n' }),
        call('edit_file', { file_path: 'src/a.ts', old_string: 'a = 1', new_string: 'a = 2' }),
        call('edit_file', { file_path: 'src/a.ts', old_string: 'not there', new_string: 'x' }),
        call('notebook_edit', { file_path: 'book.ipynb', cell_idx: 0, content: 'print(2)' }),
        call('delete_file', { file_path: 'old.ts' }),
      ),
      calls(
        call('grep', { pattern: 'export', path: 'src' }),
        call('grep', { pattern: 'nowhere' }),
        call('grep', { pattern: '(' }),
        call('glob', { pattern: 'src/*.ts' }),
        call('todo_write', { todos: [todo('a', 'Find the cause', 'completed'), todo('b', 'Mend it', 'in_progress')] }),
        call('todo_read', {}),
        call('frobnicate', { what: 'the thing' }),
        call('grep', { patern: 'x' }),
      ),
      say('All done.'),
    ],
    'Call each tool',
  )
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(step(page, 1).first()).toContainText('Read 3 filesa.ts, b.ts, plan.png')
  await expect(step(page, 1).nth(1)).toContainText('Did the agent mean src/a.ts?')
  // A notebook is read with a tool other than `read_file`, so it has its own row and number.
  await expect(step(page, 2)).toContainText('Readbook.ipynb')
  await expect(step(page, 3)).toContainText('Readold.ts')
  await expect(step(page, 4)).toContainText('Createsrc/new.ts')
  await expect(step(page, 5)).toContainText('Editsrc/a.ts')
  await expect(step(page, 6)).toContainText('The text to replace was not found in src/a.ts. Nothing was changed.')
  await expect(step(page, 7)).toContainText('Editbook.ipynbcell 0')
  await expect(step(page, 8)).toContainText('Deleteold.ts')
  await expect(step(page, 9)).toContainText('Searchexportin src')
  await expect(step(page, 9).getByRole('group', { name: 'Matches' }).getByRole('listitem').first()).toContainText('src/a.ts')
  // Each match is a button that opens its file at that line.
  await expect(step(page, 9).getByRole('button', { name: '1 export const a = 2' })).toBeVisible()
  await expect(step(page, 10)).toContainText('nothing found')
  await expect(step(page, 11)).toContainText('The pattern cannot be read: unclosed group.')
  await step(page, 11).getByRole('button', { name: 'Show all' }).click()
  await expect(step(page, 11).getByRole('group', { name: 'Why it failed' })).toContainText('regex parse error')
  await expect(step(page, 12)).toContainText('3 files')
  await expect(step(page, 13).getByRole('listitem')).toHaveText(['Done: Find the cause', 'In progress: Mend it'])
  await expect(step(page, 15)).toContainText('Callfrobnicatethe thing')
  await expect(step(page, 15)).toContainText('The agent called a tool that does not exist.')
  await expect(step(page, 15)).not.toContainText('Available tools')
  await step(page, 15).getByRole('button', { name: 'Show all' }).click()
  await expect(step(page, 15)).toContainText('The agent called a tool that does not exist. Available tools: ')
  await expect(step(page, 16)).toContainText('Pattern is missing')
  // No text that is written for machines is shown.
  await expect(ledger(page)).not.toContainText('{"')
  await keepScreens(page, info, 'tools')
  await unfold(page)
  await expect(step(page, 1).getByRole('group', { name: 'What was read from src/a.ts' })).toContainText('export const a = 1')
  // Lines are drawn only when they scroll into view.
  await step(page, 5).scrollIntoViewIfNeeded()
  await expect(changed(step(page, 5))).toHaveText([/const a = 1/, /const a = 2/])
  await step(page, 7).scrollIntoViewIfNeeded()
  await expect(changed(step(page, 7))).toHaveText([/print\(1\)/, /print\(2\)/])
  await expect(step(page, 7).getByRole('button', { name: 'Show file' })).toBeVisible()
  await step(page, 8).scrollIntoViewIfNeeded()
  await expect(changed(step(page, 8))).toHaveText([/gone/])
  await expect(step(page, 14).getByRole('list', { name: 'To do' })).toContainText('Mend it')
  await keepScreens(page, info, 'tools-open')
  expect(await axeFindings(page)).toEqual([])
})

test('a patch shows the files it changes, adds and removes, and a patch that does not match changes nothing', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await project(put)
  await inMode(places.data, { provider: 'openai' })
  const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
  const script = [
    calls(call('read_file', { file_path: 'src/a.ts' }), call('read_file', { file_path: 'old.ts' })),
    calls(
      call('apply_patch', {
        patch: patch(
          '*** Update File: src/a.ts',
          '@@',
          '-export const a = 1',
          '+export const a = 2',
          '*** Add File: src/new.ts',
          '+export const c = 3',
          '*** Delete File: old.ts',
        ),
      }),
    ),
    calls(
      call('apply_patch', {
        patch: patch('*** Update File: src/b.ts', '*** Move to: lib/b.ts', '-export const b = a', '+export const b = 2'),
      }),
    ),
    calls(call('apply_patch', { patch: patch('*** Update File: src/a.ts', '@@', '-nothing like it', '+x') })),
    say('All done.'),
  ]
  await opened(script, 'Patch it', ({ url }) => ({ OPENAI_API_KEY: 'sk-test-canary-0123456789', OPENAI_BASE_URL: `${url}/v1` }))
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(step(page, 2)).toContainText('Editsrc/a.tsand 2 more')
  await expect(step(page, 3)).toContainText('Movelib/b.tsfrom src/b.ts')
  await expect(step(page, 4)).toContainText('Nothing was changed.')
  const changes = page.getByRole('region', { name: 'lib/b.ts' })
  await expect(changes).toContainText('moved from src/b.ts')
  await expect(page.getByRole('region', { name: 'src/b.ts' })).toHaveCount(0)
  await unfold(page)
  await expect(changed(step(page, 3))).toHaveText([/b = a/, /b = 2/])
  await expect(step(page, 2).getByRole('heading')).toHaveText(['src/a.ts', 'src/new.ts', 'old.ts'])
  await keepScreens(page, info, 'tools-patch')
  expect(await axeFindings(page)).toEqual([])

  await page.keyboard.press('Control+Shift+d')
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps).toContainText([/a\.ts\+2 more/, /b\.ts\+1/])
  await page.getByRole('button', { name: /^b\.ts/ }).click()
  await expect(page.getByRole('main').locator('header')).toContainText('lib/b.tsmoved from src/b.ts')
  expect(await axeFindings(page)).toEqual([])
})

test('steps for folders, several files and web searches show their results, and a page on this machine is not fetched', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await project(put)
  await inMode(places.data, { provider: 'gemini' })
  const script = [
    calls(
      call('read_many_files', { paths: ['src/*.ts', 'nowhere.ts'] }),
      call('list_dir', { path: 'src' }),
      call('web_fetch', { url: 'http://127.0.0.1:9/page' }),
      call('web_search', { query: 'what nobody is asked' }),
    ),
    say('All done.'),
  ]
  await opened(script, 'Look around', ({ url }) => ({ GEMINI_API_KEY: 'test-canary-0123456789', GEMINI_BASE_URL: url }))
  await tray(page).filter({ hasText: 'html.duckduckgo.com' }).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(step(page, 1)).toContainText('Read 2 filesa.ts, b.ts, 1 left out')
  await expect(step(page, 2)).toContainText('Listsrc2 entries')
  await expect(step(page, 3)).toContainText('an address inside this machine or network, which is not fetched.')
  await expect(step(page, 4)).toContainText('Searchwhat nobody is askedon the webrefused')
  await unfold(page)
  await expect(step(page, 1).getByRole('group', { name: 'Files' }).locator('.path')).toHaveText(['src/a.ts', 'src/b.ts', 'nowhere.ts'])
  await expect(step(page, 1)).toContainText('export const one = a')
  await expect(step(page, 1)).not.toContainText('---')
  await expect(step(page, 2).getByRole('group', { name: 'Output' })).toContainText('a.ts')
  await keepScreens(page, info, 'tools-web')
  expect(await axeFindings(page)).toEqual([])
})

test('a command shows its exit code or that it reached its time limit, and its whole output can be opened without the notes for the model', async ({
  page,
  places,
  opened,
}, info) => {
  await inMode(places.data)
  await opened(
    [
      calls(
        call('shell', { command: 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "line $i"; done' }),
        call('shell', { command: 'echo bad >&2; exit 3' }),
        call('shell', { command: 'echo begun; sleep 60', timeout_ms: 1_000 }),
        call('shell', { command: `printf 'one\\rtwo\\n\\033[32mgreen\\033[0m\\n'` }),
        call('bash', { command: 'X=1' }),
        call('bash', { command: 'echo "X is $X"' }),
        call('bash_output', { command: 'echo captured' }),
      ),
      calls(call('kill_shell', {}), call('bash_output', { id: 'bg_9' })),
      say('All done.'),
    ],
    'Run them',
  )
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(step(page, 1)).toContainText('exit 0')
  await expect(step(page, 2)).toContainText('exit 3')
  await expect(step(page, 3)).toContainText('time limit of 1.0 s reached')
  await expect(step(page, 3).getByRole('group', { name: 'Output' })).toContainText('begun')
  await expect(step(page, 7)).toContainText('Runecho captured')
  await expect(step(page, 8)).toContainText('Stopthe newest background command or the shellstopped')
  await expect(step(page, 9)).toContainText('There is no background command')
  await unfold(page)
  await expect(step(page, 4).getByRole('group', { name: 'Output' }).locator('pre')).toHaveText('two\ngreen')
  await expect(step(page, 6).getByRole('group', { name: 'Output' })).toContainText('X is 1')
  const first = step(page, 1).getByRole('group', { name: 'Output' })
  await expect(first).toContainText('4 lines before')
  await expect(first).not.toContainText('line 4\n')
  await first.getByRole('button', { name: 'Show all' }).click()
  await expect(first.locator('pre')).toHaveText(/^line 1\nline 2\n/)
  await expect(ledger(page)).not.toContainText('Retry with')
  await keepScreens(page, info, 'tools-commands')
  expect(await axeFindings(page)).toEqual([])
})

test('a command that waits for input is marked, and continues after input in the terminal', async ({ page, places, opened }, info) => {
  await inMode(places.data)
  await opened(
    [calls(call('shell', { command: 'read -p "Name? " name; echo "hello $name"', timeout_ms: 60_000 })), say('All done.')],
    'Ask',
  )
  await expect(step(page, 1)).toContainText(/waits for input.*of 1:00/)
  const row = page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: /A command waits for input/ })
  await expect(row).toBeVisible()
  await page.keyboard.press('Control+2')
  await expect(commands(page).first()).toContainText('waits for input')
  await keepScreens(page, info, 'tools-waiting')
  expect(await axeFindings(page)).toEqual([])
  // Another tab is open. The user presses the button and types the answer right away.
  await page.keyboard.press('Control+1')
  await page.getByRole('button', { name: 'Answer in Terminal' }).click()
  await page.keyboard.type('Ada')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(step(page, 1)).toContainText('exit 0')
  await expect(commands(page).first().locator('.xterm-rows')).toContainText('hello Ada')
  await expect(page.locator('[data-composer-text]')).toBeFocused()
  await expect(row).toHaveCount(0)
})

test('background commands and the session’s bash are live in the terminal under their names, and background commands can be ended there', async ({
  page,
  places,
  opened,
}, info) => {
  await inMode(places.data)
  const goesOn = gate()
  await opened(async ({ index }) => {
    if (index === 0)
      return calls(
        call('bash', { command: 'X=in_bash; echo "first $X"' }),
        call('shell', { command: 'echo up; while read line; do echo "got $line"; done', run_in_background: true }),
        call('shell', { command: 'echo beside; exec sleep 600', run_in_background: true }),
      )
    if (index > 1) return say('All done.')
    await goesOn.opened
    return calls(call('bash_output', { id: 'bg_1' }), call('kill_shell', { id: 'bg_2' }))
  }, 'Start them')
  await page.keyboard.press('Control+2')
  await expect(commands(page).nth(0)).toContainText('session’s bash')
  await expect(commands(page).nth(1)).toContainText('bg_1')
  await expect(commands(page).nth(2)).toContainText(/in the background.*bg_2/)
  await expect(commands(page).nth(1).locator('.xterm-rows')).toContainText('up')
  await expect(commands(page).nth(2).locator('.xterm-rows')).toContainText('beside')
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('2 background commands')
  await page.keyboard.press('Control+1')
  await page.getByRole('contentinfo').getByRole('button', { name: '2 background commands' }).click()
  await keepScreens(page, info, 'tools-background')
  expect(await axeFindings(page)).toEqual([])

  await commands(page).nth(1).locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('hello')
  await page.keyboard.press('Enter')
  await expect(commands(page).nth(1).locator('.xterm-rows')).toContainText('got hello')
  goesOn.open()
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(commands(page).nth(2)).toContainText('ended by a signal')

  await step(page, 2).getByRole('button', { name: 'Stop bg_1' }).click()
  await expect(step(page, 2)).toContainText('ended')
  await expect(commands(page).nth(1)).toContainText('ended')
  await expect(page.getByRole('button', { name: 'Stop bg_1' })).toHaveCount(0)
})

test('the parts of a compound command are numbered before it is signed, and a background command says that it has no time limit', async ({
  page,
  opened,
}, info) => {
  await opened(
    [
      calls(
        call('shell', { command: 'echo one && echo "two; three" | tee out.txt; echo four' }),
        call('shell', { command: 'sleep 600', run_in_background: true }),
      ),
      say('All done.'),
    ],
    'Run both',
  )
  const parts = tray(page).getByRole('list', { name: 'The whole command' }).getByRole('listitem')
  await expect(parts).toHaveText(['1echo one', '2&& echo "two; three"', '3| tee out.txt', '4; echo four'])
  await keepScreens(page, info, 'tools-tray')
  expect(await axeFindings(page)).toEqual([])
  await armed(page).click()
  await expect(tray(page)).toContainText('None: it runs until it is stopped')
  await expect(tray(page)).toContainText('A background command that can outlast this turn')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(ledger(page).getByText('All done.')).toBeVisible()
  await expect(step(page, 2)).toContainText('refused')
})
