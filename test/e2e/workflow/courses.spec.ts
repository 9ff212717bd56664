import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { composer, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const edit = call('edit_file', { file_path: 'add.js', old_string: 'a - b', new_string: 'a + b' })
const STEPS = [
  { title: 'A test that fails', files: ['add.test.js'], commands: ['node add.test.js'] },
  { title: 'Mend add', files: ['add.js'] },
]
const propose = (more: object = {}) =>
  calls(call('read_file', { file_path: 'add.js' }), call('exit_plan_mode', { title: 'Mend add', steps: STEPS, ...more }))
const todos = (...states: readonly string[]) =>
  call('todo_write', {
    todos: STEPS.map(({ title }, at) => ({ id: String(at + 1), content: title, status: states[at], priority: 'medium' })),
  })

test('with test-first chosen in the composer, an edit that comes before the test is written is denied, and the interface shows red, then green', async ({
  page,
  put,
  opened,
}, info) => {
  await put('add.js', 'exports.add = (a, b) => a - b\n')
  await opened([
    propose({ tests: [{ path: 'add.test.js', coverage: 'the sum' }] }),
    calls(edit),
    calls(call('write_file', { file_path: 'add.test.js', content: "require('node:assert').equal(require('./add.js').add(1, 2), 3)\n" })),
    calls(call('shell', { command: 'node add.test.js' })),
    calls(edit),
    calls(call('shell', { command: 'node add.test.js' })),
    say('It adds now.'),
  ])
  await page.getByRole('combobox', { name: 'Plan first' }).click()
  await page.getByRole('option', { name: /yes, then tests/u }).click()
  await composer(page).fill('Mend add')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: /Plan/u }).click()
  const tab = page.getByRole('tabpanel')
  await sign(page, 'Plan of 2 steps')
  await expect(page.getByText(/Test first: write the tests/u).first()).toBeVisible()
  await sign(page, 'add.test.js')
  await expect(tab).toContainText('Not seen failing yet')
  await sign(page, 'node add.test.js')
  await sign(page, /Edit.*add\.js/u)
  await expect(tab).toContainText('Red at step')
  await expect(tab).toContainText('Not green yet')
  await keepPictures(page, info, 'test-first-red')
  await sign(page, 'node add.test.js')
  await expect(page.getByText('It adds now.', { exact: true })).toBeVisible()
  await expect(tab).toContainText('Green at step')
  await keepPictures(page, info, 'test-first-green')
  expect(await axeFindings(page)).toEqual([])
})

test(
  'with staged review, chosen by a slash command, the changes of a step wait until the user continues',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    await put('add.js', 'exports.add = (a, b) => a - b\n')
    await opened([
      propose(),
      calls(todos('in_progress', 'pending'), call('write_file', { file_path: 'add.test.js', content: 'one\n' })),
      calls(todos('completed', 'in_progress')),
      calls(edit),
      say('Stopped for you.'),
    ])
    await composer(page).fill('/staged')
    await page.getByRole('option', { name: /after each step/iu }).click()
    // The command may be followed by a request. Without one, it only chooses the course.
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Plan first' })).toContainText('yes, step by step')
    await composer(page).fill('Mend add')
    await page.keyboard.press('Enter')
    await sign(page, 'Plan of 2 steps')
    await sign(page, 'add.test.js')
    await expect(tray(page)).toContainText('Review A test that fails')
    await expect(tray(page)).toContainText('add.test.js')
    await expect(tray(page).getByRole('button', { name: 'Go on' })).toBeVisible()
    await keepPictures(page, info, 'staged-review')
    await sign(page, 'Review A test that fails')
    await sign(page, 'add.js')
    await expect(page.getByText('Stopped for you.', { exact: true })).toBeVisible()
  },
)
