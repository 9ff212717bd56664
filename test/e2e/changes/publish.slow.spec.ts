import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { commitWithRemote } from '../support/fake-forge.ts'
import { sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test('the commands for push and pull request are typed into a terminal for the user to run', async ({
  page,
  put,
  opened,
  places: { project },
}, info) => {
  // Two shells start, and each may take 10 s on a busy machine.
  test.setTimeout(240_000)
  await put('a.txt', 'one\n')
  commitWithRemote(project, join(project, '.git/remote'))
  const pushed = (): boolean => existsSync(join(project, '.git/remote/refs/heads/main'))
  const { scripted } = await opened(
    [calls(call('write_file', { file_path: 'b.txt', content: 'two\n' })), say('Written.')],
    'Write two',
    (model) => ({ ...modelEnv(model), SHELL: '/bin/bash', PS1: 'mine$ ', PERSONS_OWN: 'kept', GH_TOKEN: 'the-persons-own' }),
  )
  await sign(page, 'b.txt')
  await expect(page.getByText('Written.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  await page.getByRole('radio', { name: 'Folder' }).press('Space')

  await page.getByRole('button', { name: 'In a terminal…' }).press('Enter')
  await page.getByRole('menuitem', { name: /^git push/u }).press('Enter')
  const own = page.getByRole('region', { name: 'Your terminals' })
  const typed = own.locator('.xterm-rows')
  await expect(typed).toContainText('git push --set-upstream origin main')
  await expect(typed).not.toContainText(/origin main[\s\S]*origin main/u)
  await expect(own.getByRole('textbox')).toBeFocused()
  await keepPictures(page, info, 'typed')
  expect(await axeFindings(page)).toEqual([])
  expect(pushed()).toBe(false)
  await page.keyboard.press('Enter')
  await expect.poll(pushed).toBe(true)
  // The terminal runs the user's own shell with the user's variables. It does not have the variables that keep git quiet and turn the pager
  // off for the agent's commands.
  await page.keyboard.type('echo "[$PERSONS_OWN $GH_TOKEN ${GIT_TERMINAL_PROMPT-asks} ${PAGER-paged}]"')
  await page.keyboard.press('Enter')
  await expect(typed).toContainText('[kept the-persons-own asks paged]')

  // The terminal still exists after the review was closed, and a second terminal does not disturb it.
  await page.getByRole('button', { name: 'Close review' }).first().press('Enter')
  await page.keyboard.press('Control+Shift+d')
  await expect(typed).toContainText('[kept the-persons-own')
  await page.getByRole('radio', { name: 'Folder' }).press('Space')
  await page.getByRole('button', { name: 'In a terminal…' }).press('Enter')
  await page.getByRole('menuitem', { name: /^gh pr/u }).press('Enter')
  await expect(typed.first()).toContainText('gh pr create --fill')
  await keepPictures(page, info, 'two')
  await page.getByRole('button', { name: 'Close terminal 2' }).press('Enter')
  await page.getByRole('button', { name: 'Close terminal 1' }).press('Enter')
  await expect(own).toHaveCount(0)

  await page.getByRole('button', { name: 'Close review' }).first().press('Enter')
  await expect(page.getByText('Waiting for you')).toHaveCount(0)
  expect(JSON.stringify(scripted.requests.map(({ body }) => body))).not.toContain('the-persons-own')
})
