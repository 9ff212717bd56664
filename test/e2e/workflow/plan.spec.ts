import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, composer, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const PLAN = {
  title: 'Read calendar days without a time zone',
  plan: 'A day such as 2026-03-01 is read as midnight UTC and taken apart with local getters. I will take it apart by pattern instead.',
  steps: [
    {
      title: 'A test that fails west of Greenwich',
      details: 'Run the parser in New York.',
      files: ['parse-date.test.ts'],
      check: 'one test fails',
    },
    { title: 'Take the day apart by pattern, not by Date', details: 'In parseDay and periodOf.', files: ['parse-date.ts', 'period.ts'] },
    { title: 'Refuse days that do not exist', details: '30 February throws.', files: ['parse-date.ts'], check: '6 new cases' },
    { title: 'Move the CSV import to the new parser', files: ['csv.ts'] },
    { title: 'Run all tests in six time zones', commands: ['npx jest'] },
  ],
  tests: [{ path: 'parse-date.test.ts', coverage: 'days that do not exist' }],
  open_questions: ['Is 29 February 2027 an error?'],
}
const propose = calls(call('exit_plan_mode', PLAN))
const todos = (...done: readonly number[]) =>
  call('todo_write', {
    todos: PLAN.steps.slice(0, 3).map(({ title }, at) => ({
      id: String(at + 1),
      content: title,
      priority: 'medium',
      status: done.includes(at + 1) ? 'completed' : at === done.length ? 'in_progress' : 'pending',
    })),
  })
const write = (path: string) => call('write_file', { file_path: path, content: 'export {}\n' })

test('a plan is edited, reordered, extended and signed with a condition, and its progress and deviations are shown', async ({
  page,
  opened,
  places,
}, info) => {
  const { scripted } = await opened([
    propose,
    calls(todos(), write('parse-date.test.ts')),
    calls(todos(1), write('parse-date.ts')),
    calls(todos(1, 2), write('errors.ts')),
    say('All done.'),
  ])
  await page.getByRole('combobox', { name: 'Mode' }).first().click()
  await page.getByRole('option', { name: /plan/iu }).click()
  await composer(page).fill('March invoices land in February')
  await page.keyboard.press('Enter')
  await expect(tray(page)).toContainText('Plan of 5 steps')
  await page.getByRole('tab', { name: /Plan/u }).click()
  await expect(page.getByRole('tabpanel')).toContainText('It will touch')
  await keepPictures(page, info, 'plan')
  const step = (name: string | RegExp) => tray(page).getByRole('listitem').filter({ hasText: name })
  await step('Take the day apart').hover()
  await step('Take the day apart').getByRole('button', { name: /^Edit/u }).click()
  await expect(tray(page).getByRole('textbox', { name: 'What is done' })).toBeFocused()
  await expect(armed(page)).toHaveCount(0)
  await expect(tray(page)).toContainText('Finish editing the step first')
  await expect(tray(page).getByRole('textbox', { name: 'Details' })).toHaveCount(0)
  await tray(page).getByRole('button', { name: 'More', exact: true }).click()
  await tray(page).getByRole('textbox', { name: 'Details' }).fill('In parseDay and periodOf. Keep the text of DateError as it is.')
  await page.keyboard.press('Escape')
  await tray(page)
    .getByRole('checkbox', { name: /Keep Move the CSV import/u })
    .click()
  await tray(page)
    .getByRole('checkbox', { name: /Keep Run all tests/u })
    .focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await tray(page).getByRole('textbox', { name: 'Only on condition that' }).fill('No new dependency. Leave the CSV import alone.')
  await expect(tray(page)).toContainText('Plan of 4 steps')
  const tab = page.getByRole('tabpanel')
  await expect(tab).toContainText('Step 5 moved up to 3')
  await expect(tab).toContainText('Step 4 dropped')
  await keepPictures(page, info, 'plan-edit')
  expect(await axeFindings(page)).toEqual([])
  await tray(page).getByRole('button', { name: 'Add a step' }).click()
  await tray(page).getByRole('textbox', { name: 'What is done' }).fill('Say so in the changelog')
  await tray(page).getByRole('button', { name: 'More', exact: true }).click()
  await tray(page).getByRole('textbox', { name: 'Files, one per line' }).fill('CHANGELOG.md')
  await page.keyboard.press('Escape')
  await expect(tray(page)).toContainText('Plan of 5 steps')
  await expect(step('Say so in the changelog')).toContainText('added by you')
  await expect(tab).toContainText('Step added')
  await tray(page)
    .getByRole('button', { name: /Sign with condition/u })
    .and(page.locator('[data-armed=true]'))
    .click()
  await sign(page, 'parse-date.test.ts')
  await sign(page, /parse-date\.ts/u)
  await expect(tray(page)).toContainText('errors.ts')
  await expect(tray(page)).toContainText('The plan does not include errors.ts.')
  await expect(tab).toContainText('2 of 5')
  const work = (title: RegExp) => tab.getByRole('list', { name: title })
  await expect(work(/commands: A test that fails/u)).toHaveText('Done: parse-date.test.ts')
  await expect(work(/commands: Take the day apart/u)).toHaveText('Done: parse-date.tsTo do: period.ts')
  await expect(work(/commands: Refuse days/u)).toHaveText('To do: parse-date.ts')
  await expect(work(/commands: Run all tests/u)).toHaveText('To do: npx jest')
  await keepPictures(page, info, 'plan-progress')
  await armed(page).click()
  await expect(page.getByText('All done.', { exact: true })).toBeVisible()
  await expect(tab).toContainText('is not in the plan: errors.ts')
  await expect(tab).toContainText('No new dependency. Leave the CSV import alone.')
  // The clipboard of a headless browser cannot be read, so this stub records what is copied.
  await page.evaluate(() => {
    const writeText = (text: string): Promise<void> => Promise.resolve(void (document.body.dataset['copied'] = text))
    Object.defineProperty(navigator.clipboard, 'writeText', { value: writeText })
  })
  await tab.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect(page.locator('body')).toHaveAttribute(
    'data-copied',
    /^# Read calendar days.*3\. Run all tests in six time zones.*No new dependency\./su,
  )
  const told = JSON.stringify(scripted.requests[1]?.body.messages.at(-1))
  expect(told).toContain('Their condition, which you must keep: No new dependency. Leave the CSV import alone.')
  expect(told).toContain('Keep the text of DateError as it is.')
  expect(told).toContain('Say so in the changelog')
  expect(told).not.toContain('CSV import to the new parser')
  const [file = ''] = await readdir(join(places.data, 'plans'))
  expect(await readFile(join(places.data, 'plans', file), 'utf8')).toMatch(
    /^# Read calendar days.*3\. Run all tests in six time zones.*## Condition/su,
  )
})

test(
  'plans are sent back with a comment on a step or with a note, and refusing a plan ends the request',
  { tag: '@slow' },
  async ({ page, opened }) => {
    const lists = {
      files_to_create: [{ path: 'errors.ts', purpose: 'holds DateError' }],
      files_to_modify: [{ path: 'csv.ts', changes: 'calls the new parser' }],
      commands: ['npx jest', 'npm run lint'],
      dependencies: ['tzdata 1.0, for the zones'],
    }
    const { scripted } = await opened([calls(call('exit_plan_mode', { ...PLAN, ...lists })), propose, propose])
    await page.getByRole('combobox', { name: 'Mode' }).first().click()
    await page.getByRole('option', { name: /plan/iu }).click()
    await composer(page).fill('March invoices land in February')
    await page.keyboard.press('Enter')
    for (const words of [
      'errors.ts: holds DateError',
      'csv.ts: calls the new parser',
      'npm run lint',
      'tzdata 1.0, for the zones',
      'parse-date.test.ts: days that do not exist',
      'Is 29 February 2027 an error?',
      'Run the parser in New York.',
      'npx jest',
    ])
      await expect(tray(page)).toContainText(words)
    const askAbout = async (title: string): Promise<void> => {
      await tray(page).getByRole('listitem').filter({ hasText: title }).hover()
      await tray(page)
        .getByRole('button', { name: new RegExp(`Ask about it: ${title}`, 'u') })
        .click()
    }
    await askAbout('Move the CSV')
    await page.keyboard.press('Escape')
    // The focus stays in the tray, so that its keys still work.
    await expect(tray(page).locator(':focus')).toHaveCount(1)
    await askAbout('Move the CSV')
    await page.keyboard.type('why?')
    await askAbout('Run all tests')
    await page.keyboard.type('how?')
    await page.keyboard.press('Enter')
    await expect.poll(() => scripted.requests.length).toBe(2)
    const sent = JSON.stringify(scripted.requests[1]?.body.messages.at(-1))
    expect(sent).toContain('About step 4, “Move the CSV import to the new parser”: why?')
    expect(sent).toContain('About step 5, “Run all tests in six time zones”: how?')
    await tray(page).getByRole('button', { name: 'Ask for another plan' }).click()
    await tray(page).getByRole('textbox', { name: 'What the next plan should do differently' }).fill('Fewer steps.')
    await tray(page).getByRole('button', { name: 'Send back' }).click()
    await expect.poll(() => scripted.requests.length).toBe(3)
    expect(JSON.stringify(scripted.requests[2]?.body.messages.at(-1))).toContain('Fewer steps.')
    await expect(tray(page)).toContainText('Plan of 5 steps')
    await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(tray(page)).toHaveCount(0)
    expect(scripted.requests).toHaveLength(3)
  },
)

test(
  'a file outside the plan can be added to it, and then it is no deviation and does not ask again',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    await opened([propose, calls(write('errors.ts')), calls(write('other.ts')), say('All done.')])
    await page.getByRole('combobox', { name: 'Mode' }).first().click()
    await page.getByRole('option', { name: /plan/iu }).click()
    await composer(page).fill('March invoices land in February')
    await page.keyboard.press('Enter')
    await sign(page, 'Plan of 5 steps')
    await expect(tray(page)).toContainText('The plan does not include errors.ts.')
    await tray(page).getByRole('checkbox', { name: 'Add to plan' }).check()
    await keepPictures(page, info, 'add-to-plan')
    await sign(page, 'errors.ts')
    await expect(tray(page)).toContainText('The plan does not include other.ts.')
    await page.getByRole('tab', { name: /Plan/u }).click()
    await expect(page.getByRole('tabpanel')).not.toContainText('is not in the plan: errors.ts')
    await sign(page, 'other.ts')
    await expect(page.getByRole('tabpanel')).toContainText('is not in the plan: other.ts')
  },
)
