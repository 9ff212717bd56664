import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { commitWithRemote, writeFakeGh } from '../support/fake-forge.ts'
import { sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const VIEW = {
  number: 41,
  title: 'Write two',
  url: 'https://github.com/acme/tidewater/pull/41',
  state: 'OPEN',
  baseRefName: 'main',
  body: 'Two files are written.',
  statusCheckRollup: [
    {
      name: 'test (windows)',
      status: 'COMPLETED',
      conclusion: 'FAILURE',
      detailsUrl: 'https://github.com/acme/tidewater/actions/runs/1/job/77',
      startedAt: '2026-11-29T10:00:00Z',
      completedAt: '2026-11-29T10:01:12Z',
    },
    { name: 'lint', status: 'COMPLETED', conclusion: 'SUCCESS', startedAt: '2026-11-29T10:00:00Z', completedAt: '2026-11-29T10:00:21Z' },
  ],
}
const COMMENTS = [{ id: 5, user: { login: 'ann' }, path: 'b.txt', line: 1, body: 'Why two?', diff_hunk: '@@ -0,0 +1 @@\n+two' }]
const line = (text: string): string => `test (windows)\tRun npm test\t2026-11-29T10:00:30.0000000Z ${text}\n`
const LOG = [...Array.from({ length: 40 }, (_, at) => `✔ passes ${at}`), '✖ reads a quoted cell', '  AssertionError: not equal']
  .map(line)
  .join('')

test('changes are staged, committed with a drafted message, pushed and opened as a pull request, and a failed check is fixed in a session beside the folder', async ({
  page,
  put,
  opened,
  places: { project, data },
}, info) => {
  const bin = join(data, 'bin')
  await writeFakeGh(bin, { view: VIEW, comments: COMMENTS, log: LOG })
  await put('a.txt', 'one\n')
  const git = commitWithRemote(project, join(data, 'remote'))
  const { scripted } = await opened(
    ({ body }) => {
      const asked = JSON.stringify(body)
      if (asked.includes('Write a git commit message')) return say('Add the second file\n\nThe bank sends two.')
      if (asked.includes('title and the description of a pull request')) return say('Read two files\n\nThe bank sends two files.')
      if (asked.includes('reads a quoted cell')) return say('I look at it.')
      return asked.includes('tool_result') ? say('Written.') : calls(call('write_file', { file_path: 'b.txt', content: 'two\n' }))
    },
    'Write two',
    (model) => ({ ...modelEnv(model), PATH: `${bin}:${process.env['PATH']}` }),
  )
  await sign(page, 'b.txt')
  await expect(page.getByText('Written.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  await page.getByRole('radio', { name: 'Folder' }).press('Space')
  await page.getByRole('button', { name: 'Stage all' }).press('Enter')
  await expect(page.getByText('1 staged file.')).toBeVisible()
  await page.getByRole('button', { name: 'Draft with the model' }).press('Enter')
  const message = page.getByRole('textbox', { name: 'Commit message' })
  await expect(message).toHaveValue('Add the second file\n\nThe bank sends two.')
  await page.getByRole('button', { name: 'Commit', exact: true }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: /^Committed /u })).toBeVisible()
  expect(git('log', '-1', '--format=%B').trim()).toBe('Add the second file\n\nThe bank sends two.')

  await page.getByRole('button', { name: 'Push and pull request…' }).press('Enter')
  const pane = page.getByRole('main', { name: 'Publish' })
  await expect(pane).toContainText('New pull request')
  await pane.getByRole('button', { name: 'Push' }).press('Enter')
  await expect(pane).toContainText('all pushed to origin/main')
  expect(execFileSync('git', ['log', '-1', '--format=%s', 'main'], { cwd: join(data, 'remote'), encoding: 'utf8' })).toBe(
    'Add the second file\n',
  )
  await pane.getByRole('button', { name: 'Draft with the model' }).press('Enter')
  await expect(pane.getByRole('textbox', { name: 'Title' })).toHaveValue('Read two files')
  await keepPictures(page, info, 'new')
  await pane.getByRole('button', { name: 'Open the pull request' }).press('Enter')
  await expect(pane).toContainText('Pull request 41, open, into main')
  expect(await readFile(join(bin, 'open'), 'utf8')).toBe('--title Read two files --body The bank sends two files.\n')
  await expect(pane).toContainText('1 failed, 1 passed')
  await pane.getByRole('button', { name: 'First failing lines of test (windows)' }).press('Enter')
  await expect(pane.getByRole('figure')).toContainText('✖ reads a quoted cell')
  await expect(pane.getByRole('figure')).not.toContainText('passes 37')
  await pane.getByRole('button', { name: 'Add to the review' }).press('Enter')
  await expect(pane.getByRole('button', { name: 'Add to the review' })).toBeDisabled()
  await keepPictures(page, info, 'checks')
  expect(await axeFindings(page)).toEqual([])

  await pane.getByRole('button', { name: 'Let the agent fix it: test (windows)' }).press('Enter')
  await expect(page.getByText('I look at it.')).toBeVisible()
  expect(JSON.stringify(scripted.requests.at(-1)?.body.messages)).toContain('AssertionError: not equal')
  // The fix is made in a layer, and brought in when the user likes it.
  await expect(page.getByText(/^Writes beside/u)).toBeVisible()

  // The reviewer's comment goes with the next message of the session to whose review it was added.
  await page
    .getByRole('button', { name: /^Write two/u })
    .first()
    .press('Enter')
  await expect(page.getByRole('list', { name: 'Comments in this message' })).toContainText('ann: Why two?')
})
