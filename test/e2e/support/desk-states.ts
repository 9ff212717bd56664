import type { Page } from 'playwright/test'
import { call, calls, httpError, message, say, text } from '../../support/scripted-model.ts'
import { expect, hasCopies, send } from './desk-test.ts'
import { armed, composer, ledger, sign, tray } from './on-the-desk.ts'

/** Called in each state of the desk, with the state's name. It must leave the desk in the state in which it found it. */
export type Visit = (name: string) => Promise<void>

const FILE = 'src/one/of/many/folders/converter.ts'
const lines = (of: string): string => Array.from({ length: 30 }, (_, at) => `const ${of}${at} = ${at}\n`).join('')
const COMMAND = `cp ${FILE} invoices-of-the-whole-year.txt`
const PATCH = [
  '*** Begin Patch',
  `*** Update File: ${FILE}`,
  ...[5, 20].map((at) => `@@\n const line${at - 1} = ${at - 1}\n-const line${at} = ${at}\n+const line${at} = ${at}00`),
  '*** Add File: src/one/of/many/folders/added.ts',
  '+export const added = true',
  '*** End Patch',
].join('\n')
const QUESTIONS = [
  {
    question: 'What should the test compare from now on?',
    options: [
      { label: 'The pages, drawn as pictures', description: 'slower by 9 s, catches every visible change' },
      { label: 'The text, the fonts and the page sizes', description: 'no slower, misses a moved logo' },
    ],
  },
  { question: 'Which parts change?', options: [{ label: 'Worker' }, { label: 'Docs' }], multiSelect: true },
]
const PLAN = {
  title: 'Read calendar days without a time zone',
  plan: 'A day is read as midnight UTC and taken apart with local getters. I will take it apart by pattern instead.',
  steps: [
    {
      title: 'A test that fails west of Greenwich',
      details: 'Run the parser in New York.',
      files: ['parse-date.test.ts'],
      check: 'one fails',
    },
    { title: 'Take the day apart by pattern', files: [FILE], commands: ['npx jest'] },
  ],
  open_questions: ['Is 29 February 2027 an error?'],
}

/** What the model answers while `visitRequests` goes through the requests of a session. */
export const REQUESTS = [
  message([text('I read it first.'), call('read_file', { file_path: FILE }), call('shell', { command: COMMAND })]),
  calls(call('ask_user_question', { questions: QUESTIONS })),
  calls(call('apply_patch', { patch: PATCH })),
  say('Both files are written.'),
  calls(call('exit_plan_mode', PLAN)),
  httpError(401, 'authentication_error', 'invalid x-api-key'),
  // For the session beside the folder.
  calls(call('shell', { command: `echo beside >> ${FILE}; echo made > made-in-the-layer-of-the-session.txt` })),
  say('Both are changed in the layer.'),
]

/** The files that `REQUESTS` is about. */
export const REQUESTED_FILES = { [FILE]: lines('line') }

const REQUEST = 'Convert all invoices of the year to Euro'

/** The states of an empty session, of each kind of request that waits for the user, and of a failed turn. */
export async function visitRequests(page: Page, visit: Visit): Promise<void> {
  await visit('new session')
  await send(page, REQUEST)
  await armed(page).waitFor()
  await composer(page).fill('a message that is not sent yet')
  await visit('command')
  await tray(page).getByRole('button', { name: 'Refuse with a note' }).click()
  await tray(page).getByRole('textbox', { name: 'What the agent should do instead' }).fill('a note that is not sent yet')
  await visit('refusal note')
  await tray(page).getByRole('button', { name: 'Back' }).click()
  const forReal = tray(page).getByRole('button', { name: 'Run for real instead' })
  if ((await forReal.count()) > 0) {
    await armed(page).waitFor()
    await forReal.click()
    await expect(tray(page).getByRole('radio', { name: 'Yes, everywhere' })).toBeVisible()
    await armed(page).waitFor()
    await visit('command for real')
  }
  await sign(page)
  await expect(tray(page)).toContainText('2 questions')
  await visit('questions')
  await tray(page)
    .getByRole('radio', { name: /The text/u })
    .check()
  await tray(page).getByRole('checkbox', { name: 'Docs' }).check()
  await tray(page).getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(tray(page)).toContainText('added.ts')
  await armed(page).waitFor()
  await visit('edits')
  await page.keyboard.press('Control+j')
  await page.keyboard.press('e')
  await tray(page).getByRole('textbox').waitFor()
  await visit('hunk editor')
  await tray(page).getByRole('textbox').press('Escape')
  await sign(page)
  await expect(ledger(page)).toContainText('Both files are written.')
  await visit('finished turn')
  await page.getByRole('combobox', { name: 'Mode' }).first().click()
  await page.getByRole('option', { name: /plan/iu }).click()
  await composer(page).fill('')
  await send(page, 'March invoices land in February')
  await expect(tray(page)).toContainText('Plan of 2 steps')
  await visit('plan')
  await tray(page).getByRole('listitem').first().getByRole('button', { name: /^Edit/u }).click()
  await visit('step of a plan, edited')
  await tray(page).getByRole('textbox').first().press('Escape')
  await sign(page)
  await page.locator('[data-tray=error]').waitFor()
  await visit('failed turn')
}

/** Visits each tab of the inspector, and the side panes at their widest and folded. */
export async function visitPanes(page: Page, visit: Visit): Promise<void> {
  for (const tab of ['Terminal', 'Agents', 'Plan', 'Context', 'Changes']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`, 'u') }).click()
    await visit(`inspector, ${tab}`)
  }
  const divider = page.getByRole('separator', { name: 'Width of the inspector' })
  await divider.press('End')
  await page.getByRole('separator', { name: 'Width of sessions' }).press('End')
  await visit('widest panes')
  await divider.press('Enter')
  await page.getByRole('separator', { name: 'Width of sessions' }).press('Enter')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+Alt+b')
  await visit('folded panes')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+Alt+b')
}

/** Visits each page and dialog of the window. */
export async function visitPages(page: Page, visit: Visit): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await visit('palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('F1')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await visit('keys')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+o')
  await page.getByRole('combobox', { name: 'Path of the folder' }).waitFor()
  await visit('folder')
  await page.getByRole('button', { name: 'Another machine…' }).click()
  await page.getByRole('dialog', { name: 'Another machine' }).getByRole('textbox').first().waitFor()
  await visit('machines')
  await page.keyboard.press('Escape')
  await command(page, 'Import a session')
  await page.getByRole('dialog').waitFor()
  await visit('import')
  await page.keyboard.press('Escape')
  await command(page, 'Delete this session')
  await page.getByRole('dialog', { name: 'Delete sessions' }).waitFor()
  await visit('deletion')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+D')
  await page.getByRole('navigation').first().waitFor()
  await visit('review')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+Y')
  await page.getByRole('slider', { name: 'Moment of the session' }).waitFor()
  await visit('replay')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search all sessions' }).fill('invoices')
  await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor()
  await visit('history')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+,')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await visit('settings')
  await page.getByRole('button', { name: 'Add a key for OpenAI', exact: true }).click()
  await visit('key of a provider')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await composer(page).waitFor()
  await visitFiles(page, visit)
  if (hasCopies) await visitBeside(page, visit)
}

async function visitFiles(page: Page, visit: Visit): Promise<void> {
  await page.keyboard.press('Control+p')
  const field = page.getByRole('searchbox', { name: 'Find a file' })
  await field.fill('conv')
  await page.getByRole('list', { name: 'Found files' }).getByRole('button').first().waitFor()
  await visit('found files')
  await field.press('Enter')
  await page
    .getByRole('group', { name: `File ${FILE}` })
    .locator('[data-line="1"]')
    .first()
    .waitFor()
  await visit('file viewer')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await composer(page).waitFor()
  await page.keyboard.press('Control+Backquote')
  await page.getByRole('region', { name: 'Your terminal Terminal 1' }).locator('.xterm-rows').getByText(/[#$]/u).first().waitFor()
  await visit('own terminal')
  // In the terminal, the shortcut of the palette belongs to the shell.
  await composer(page).focus()
}

async function visitBeside(page: Page, visit: Visit): Promise<void> {
  // In a browser, the shortcut opens a window of the browser.
  await command(page, 'New session')
  await page.getByRole('button', { name: /^Work: /u }).click()
  await visit('where it works')
  await page.getByRole('radio', { name: /Beside/u }).click()
  await expect(page.getByText(/^Writes beside/u)).toBeVisible()
  await send(page, 'Change it beside')
  await expect(ledger(page)).toContainText('Both are changed in the layer.')
  await visit('session beside')
  await page.getByRole('button', { name: 'Bring in changes…' }).click()
  await page.getByRole('list', { name: 'Change sets' }).getByRole('listitem').first().waitFor()
  await visit('bring-in')
  await page.keyboard.press('Escape')
}

async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill(words)
  await page.keyboard.press('Enter')
}
