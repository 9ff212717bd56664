import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, needsCopies, send, test } from '../support/desk-test.ts'
import { ledger, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

const FAKE = new URL('../../fixtures/foreign-agents/fake-agent.mjs', import.meta.url)

test('a third-party agent is chosen below the message, works in a layer, and its work is signed at bring-in', async ({
  page,
  put,
  places,
  opened,
}, info) => {
  await put('a.txt', 'one\ntwo\n')
  const program = join(places.data, 'fake')
  await mkdir(join(program, 'sessions'), { recursive: true })
  await cp(FAKE, join(program, 'agent.mjs'))
  const fake = {
    name: 'Fake',
    command: process.execPath,
    args: [join(program, 'agent.mjs'), join(program, 'sessions')],
    modes: ['free'],
    folders: [program],
  }
  await writeFile(join(places.data, 'agents.json'), JSON.stringify({ agents: { fake } }))
  await opened([])
  await page.getByRole('button', { name: /^Work: /u }).click()
  await page.getByRole('radio', { name: 'Fake' }).click()
  await page.getByRole('button', { name: 'Work: beside, Fake' }).click()
  await expect(page.getByRole('radio', { name: 'Fake' })).toBeChecked()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'other-agent-where')
  await page.keyboard.press('Escape')
  const steps = [
    { say: 'I change the file and run a command.' },
    { write: ['a.txt', 'one\nTWO\n'] },
    { run: 'echo made > made.txt; echo 3 tests passed' },
    { say: ' All done.' },
  ]
  await send(page, JSON.stringify(steps))
  await expect(page.getByText('All done.')).toBeVisible()
  await expect(tray(page)).toHaveCount(0)
  await expect(ledger(page)).toContainText('Writea.txt1 file in the layer')
  await expect(page.getByRole('heading', { name: '2 files in the layer' })).toBeVisible()
  expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
  await expect(page.getByRole('button', { name: 'Fake', exact: true })).toHaveAttribute('data-tip', /their-.*$/u)
  await keepPictures(page, info, 'other-agent')
  // Its own model and commands.
  await page
    .getByRole('combobox', { name: 'Model' })
    .or(page.getByRole('button', { name: 'Model' }))
    .first()
    .click()
  await page.getByRole('option', { name: 'The large one' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('/pol')
  await expect(page.getByRole('option', { name: /^\/polish/u })).toBeVisible()
  await keepPictures(page, info, 'other-agent-commands')
  await page.getByRole('textbox', { name: 'Message' }).fill('')
  await send(page, JSON.stringify([{ model: true }]))
  await expect(page.getByText('[model large]')).toBeVisible()
  // It compacts its own conversation.
  await send(page, '/compact keep the names')
  await expect(page.getByText('You said: /compact keep the names')).toBeVisible()
  await page.getByRole('button', { name: 'Bring in…' }).click()
  await page.getByRole('button', { name: /^Sign 2 hunks/u }).click()
  await expect.poll(() => readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\nTWO\n')
})

test(
  'Settings list the third-party agents with their versions, open a terminal in which one signs in, and say how to install the others',
  { tag: '@slow' },
  async ({ page, places, opened }, info) => {
    // An installed agent is an npm package.
    const program = join(places.data, 'codex-acp')
    await mkdir(program)
    await writeFile(join(program, 'package.json'), JSON.stringify({ version: '2.5.0' }))
    await writeFile(join(program, 'codex-acp'), '#!/bin/sh\n', { mode: 0o755 })
    await writeFile(join(places.data, 'agents.json'), JSON.stringify({ agents: { codex: { command: join(program, 'codex-acp') } } }))
    await opened([], undefined, (model) => ({ ...modelEnv(model), SHELL: '/bin/sh' }))
    await page.getByRole('button', { name: 'Settings' }).click()
    await page
      .getByRole('link', { name: 'Other agents' })
      .or(page.getByRole('button', { name: 'Other agents' }))
      .first()
      .click()
    const table = page.getByRole('table', { name: 'Other agents' })
    await expect(table.getByRole('row', { name: /^Codex/u })).toContainText('2.5.0, tested with 2.6.0')
    await expect(table).toContainText('npm install -g pi-acp')
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'other-agents-settings')
    await table.getByRole('button', { name: 'Sign in to Codex' }).click()
    await expect(page.getByRole('region', { name: 'Your terminal Terminal 1' }).locator('.xterm-rows')).toContainText('codex login')
    await keepPictures(page, info, 'other-agents-sign-in')
  },
)
