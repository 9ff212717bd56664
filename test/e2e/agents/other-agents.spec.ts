import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { type DeskFixtures, expect, modelEnv, needsCopies, send, test } from '../support/desk-test.ts'
import { composer, ledger, openSession, tray, untilNextSession } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

const lines = (changed: Readonly<Record<number, string>>): string =>
  `${Array.from({ length: 12 }, (_, at) => changed[at + 1] ?? `line ${at + 1}`).join('\n')}\n`

/** Adds the fake agent to the agents of the data folder. */
async function installFake(data: string): Promise<void> {
  const program = join(data, 'fake')
  await mkdir(join(program, 'sessions'), { recursive: true })
  await cp(FAKE, join(program, 'agent.mjs'))
  const fake = {
    name: 'Fake',
    command: process.execPath,
    args: [join(program, 'agent.mjs'), join(program, 'sessions')],
    modes: ['free'],
    folders: [program],
  }
  await writeFile(join(data, 'agents.json'), JSON.stringify({ agents: { fake } }))
}

/** Opens the desk with a new session in which the fake agent works. */
async function openWithFake({ page, places, opened }: Pick<DeskFixtures, 'places' | 'opened'> & { readonly page: Page }): Promise<void> {
  await installFake(places.data)
  await opened([])
  await page.getByRole('button', { name: /^Work: /u }).click()
  await untilNextSession(page, () => page.getByRole('radio', { name: 'Fake' }).click())
  await page.keyboard.press('Escape')
}

const FAKE = new URL('../../fixtures/foreign-agents/fake-agent.mjs', import.meta.url)

test('a third-party agent is chosen below the message and works in a layer, and the folder changes only after its work is signed', async ({
  page,
  put,
  places,
  opened,
}, info) => {
  await put('a.txt', 'one\ntwo\n')
  await installFake(places.data)
  await opened([])
  await page.getByRole('button', { name: /^Work: /u }).click()
  await untilNextSession(page, () => page.getByRole('radio', { name: 'Fake' }).click())
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
  await expect(tray(page)).toContainText('Sign what Fake changed in turn 1')
  await expect(tray(page)).toContainText('in its layer, the folder has not changed yet')
  expect(await axeFindings(page)).toEqual([])
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
  await tray(page)
    .getByRole('button', { name: /^Sign turn 1/u })
    .click()
  await expect.poll(() => readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\nTWO\n')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
})

test('an agent in which nobody is signed in is signed in from the desk, in a terminal in which its command is typed, and then goes on', async ({
  page,
  places,
  opened,
}, info) => {
  await installFake(places.data)
  await writeFile(join(places.data, 'fake/sessions/signed-out'), '')
  await opened([], undefined, (model) => ({ ...modelEnv(model), SHELL: '/bin/sh' }))
  await page.getByRole('button', { name: /^Work: /u }).click()
  await page.getByRole('radio', { name: 'Fake' }).click()
  await page.keyboard.press('Escape')
  await send(page, JSON.stringify([{ say: 'Hello.' }]))
  const trouble = page.locator('[data-tray=error]')
  await expect(trouble).toContainText('Fake could not be started. It needs a sign-in: Authentication required.')
  // The models of Countersign's providers are not the agent's.
  await expect(trouble.getByText('Go on with another model')).toHaveCount(0)
  const ways = [
    trouble.getByRole('button', { name: 'Sign in to Fake: Log in with a browser' }),
    trouble.getByRole('button', { name: 'Sign in to Fake: Use a company account' }),
  ] as const
  await expect(ways[0]).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'other-agent-signed-out')
  await page.setViewportSize({ width: 900, height: 700 })
  await keepPictures(page, info, 'other-agent-signed-out-900')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Control+,')
  const row = page.getByRole('table', { name: 'Other agents' }).getByRole('row', { name: /^Fake/u })
  await expect(row.getByRole('button')).toHaveText(['Log in with a browser', 'Use a company account'])
  await row.scrollIntoViewIfNeeded()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'other-agents-sign-in-ways')
  await page.keyboard.press('Escape')
  await ways[1].click()
  const terminal = page.getByRole('region', { name: 'Your terminal Terminal 1' }).locator('.xterm-rows')
  await expect(terminal).toContainText('--login')
  await keepPictures(page, info, 'other-agent-sign-in-typed')
  await page.keyboard.press('Enter')
  await expect(terminal).toContainText('Signed in with a company account.')
  await trouble.getByRole('button', { name: 'Resume' }).click()
  await expect(ledger(page).getByText('Hello.', { exact: true })).toBeVisible()
})

test('work of several turns is signed by turn, by step and by hunk, and what is refused is removed from the layer', async ({
  page,
  put,
  places,
  opened,
}, info) => {
  await put('a.txt', lines({}))
  await openWithFake({ page, places, opened })
  await send(page, JSON.stringify([{ write: ['a.txt', lines({ 2: 'TWO', 11: 'ELEVEN' })] }, { say: 'First done.' }]))
  await expect(tray(page)).toContainText('Sign what Fake changed in turn 1')
  await send(page, JSON.stringify([{ write: ['bad.txt', 'bad\n'] }, { run: 'echo more > worse.txt' }, { say: 'Second done.' }]))
  await expect(tray(page)).toContainText('Sign what Fake changed in turns 1 and 2')
  await tray(page).getByRole('button', { name: 'Open in review' }).click()
  await expect(page.getByRole('list', { name: 'Change sets of turn 1' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Change sets of turn 2' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Turn 2' }).uncheck()
  await expect(page.getByRole('list', { name: 'Change sets of turn 2' })).toContainText('will be removed')
  await page.getByText('ELEVEN').first().click()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'other-agent-turns')
  await page.getByRole('button', { name: /^Sign 2 of 4 hunks/u }).click()
  await expect.poll(() => readFile(join(places.project, 'a.txt'), 'utf8')).toBe(lines({ 2: 'TWO', 11: 'ELEVEN' }))
  await expect(
    page.getByText('The changes you refused were removed from the layer: bad.txt, worse.txt. Fake will learn about this'),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Back to /u }).click()
  await expect(ledger(page)).toContainText('Removed the changes you refused from the layer')
  await keepPictures(page, info, 'other-agent-refused')
  await send(page, JSON.stringify([{ run: 'ls' }, { prompt: true }]))
  await expect(page.getByText('[The user refused some of your changes')).toBeVisible()
})

test(
  'a request lists the commands and hosts of the turn, and one of its two steps is refused by its box and removed from the layer',
  { tag: '@slow' },
  async ({ page, places, opened }, info) => {
    await openWithFake({ page, places, opened })
    const steps = [
      { request: 'http://elsewhere.example/' },
      { run: 'echo checked' },
      { write: ['good.txt', 'good\n'] },
      { write: ['bad.txt', 'bad\n'] },
    ]
    await send(page, JSON.stringify(steps))
    await expect(tray(page)).toContainText('Sign what Fake changed in turn 1')
    await expect(tray(page)).toContainText('echo checked')
    await expect(tray(page)).toContainText('elsewhere.example:80 (refused)')
    await expect(page.getByText(/^Waiting for you/u)).toBeVisible()
    await keepPictures(page, info, 'other-agent-commands-and-hosts')
    await tray(page).getByRole('button', { name: 'Open in review' }).click()
    const sets = page.getByRole('list', { name: 'Change sets' })
    await expect(sets.getByRole('listitem')).toHaveCount(2)
    await expect(page.getByText('elsewhere.example:80 (refused)')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Bring in Write bad.txt' }).uncheck()
    await expect(sets).toContainText('will be removed')
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'other-agent-step-refused')
    await page.getByRole('button', { name: /^Sign 1 of 2 hunks/u }).click()
    await expect(page.getByText('The changes you refused were removed from the layer: bad.txt.')).toBeVisible()
    expect(await readdir(places.project)).toContain('good.txt')
    expect(await readdir(places.project)).not.toContain('bad.txt')
    await page.getByRole('button', { name: /^Back to /u }).click()
    await send(page, JSON.stringify([{ run: 'test -e bad.txt || echo removed > seen.txt' }]))
    await tray(page)
      .getByRole('button', { name: /^Sign turn 2/u })
      .click()
    await expect.poll(() => readFile(join(places.project, 'seen.txt'), 'utf8').catch(() => '')).toBe('removed\n')
  },
)

test(
  'what is left for later stays in the layer, and the request after the next turn shows it again with its turn',
  { tag: '@slow' },
  async ({ page, places, opened }, info) => {
    await openWithFake({ page, places, opened })
    await send(page, JSON.stringify([{ write: ['one.txt', '1\n'] }]))
    await expect(tray(page)).toContainText('Sign what Fake changed in turn 1')
    await send(page, JSON.stringify([{ write: ['two.txt', '2\n'] }, { write: ['three.txt', '3\n'] }]))
    await expect(tray(page)).toContainText('Sign what Fake changed in turns 1 and 2')
    await tray(page).getByRole('button', { name: 'Open in review' }).click()
    await page.getByRole('button', { name: 'Decide about turn 1 later' }).click()
    await expect(page.getByRole('list', { name: 'Change sets of turn 1' })).toContainText('you decide later')
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'other-agent-later')
    await page.getByRole('button', { name: /^Sign 2 of 3 hunks/u }).click()
    await expect(page.getByText('Nothing was removed from the layer.')).toBeVisible()
    expect(await readdir(places.project)).toEqual(expect.arrayContaining(['three.txt', 'two.txt']))
    expect(await readdir(places.project)).not.toContain('one.txt')
    await page.getByRole('button', { name: /^Back to /u }).click()
    // In the tray, the keys decide too, and a refusal needs no signature for the rest.
    await send(page, JSON.stringify([{ write: ['four.txt', '4\n'] }]))
    await expect(tray(page)).toContainText('Sign what Fake changed in turns 1 and 3')
    await page.keyboard.press('Control+j')
    await page.keyboard.press('n')
    await page.keyboard.press('j')
    await page.keyboard.press('l')
    await tray(page)
      .getByRole('button', { name: /^Refuse 1 of 2 hunks/u })
      .click()
    await expect(ledger(page)).toContainText('Deleted')
    await send(page, JSON.stringify([{ run: 'ls' }]))
    await expect(tray(page)).toContainText('Sign what Fake changed in turn 1')
    await expect(ledger(page)).not.toContainText('file applied')
  },
)

test(
  'in a long list, a folder and a file are left for later, a reload and the whole page keep that, and Refuse removes only the rest',
  { tag: '@slow' },
  async ({ page, places, opened }, info) => {
    await openWithFake({ page, places, opened })
    const makes = 'mkdir a b; for n in 1 2 3 4 5 6 7 8 9 10 11; do echo same > a/$n.txt; echo same > b/$n.txt; done; echo one > one.txt'
    await send(page, JSON.stringify([{ run: makes }]))
    await expect(tray(page)).toContainText('The same new file in 22 files')
    await expect(page.getByRole('button', { name: /Fake, turn 1, 23 files/u })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Files to sign' }).first()).toContainText('to sign, what Fake changed in turn 1, 2 kinds')
    await tray(page).getByRole('button', { name: 'Decide about the change in a/ later' }).click()
    await expect(tray(page)).toContainText('11 files, decide later')
    await tray(page).getByRole('button', { name: 'List the 22 files' }).click()
    await tray(page).getByRole('button', { name: 'Decide about b/3.txt later' }).click()
    await expect(tray(page)).toContainText('11 files, 1 decide later')
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'other-agent-many-later')
    await page.reload()
    await expect(tray(page)).toContainText('11 files, 1 decide later')
    await tray(page).getByRole('button', { name: 'Open in review' }).click()
    await expect(page.getByRole('button', { name: /^Sign 11 of 23 hunks/u })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Changes to bring in' })).toContainText('decide later')
    await keepPictures(page, info, 'other-agent-many-later-page')
    await page.getByRole('button', { name: 'Refuse the rest' }).dblclick()
    await expect(page.getByText(/^The changes you refused were removed from the layer: /u)).toBeVisible()
    await keepPictures(page, info, 'other-agent-many-refused')
    await expect(ledger(page)).toContainText('not applied')
    expect(await readdir(places.project)).not.toContain('b')
    await page.getByRole('button', { name: /^Back to /u }).click()
    await send(page, JSON.stringify([{ run: 'ls b; ls -d one.txt' }]))
    await expect(tray(page)).toContainText('b/3.txt')
    await expect(tray(page)).not.toContainText('b/4.txt')
  },
)

test('review comments go along with a message to a third-party agent', { tag: '@slow' }, async ({ page, places, opened }) => {
  await installFake(places.data)
  await opened([calls(call('write_file', { path: 'made.txt', content: 'one\n' })), say('Made.')])
  await send(page, 'Make it')
  await tray(page).getByRole('button', { name: /^Sign/u }).click()
  await expect(page.getByText('Made.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  await expect(page.getByText('hunk 1 of 1', { exact: true })).toBeVisible()
  await page.keyboard.press('c')
  await page.keyboard.type('make it two')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Comment on line 1' })).toBeVisible()
  // Until the comment is saved, Escape would only close its field.
  await expect(page.locator('[data-comment-field]')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Comments in this message' })).toContainText('made.txt:1')
  await composer(page).fill(`@fake ${JSON.stringify([{ prompt: true }])}`)
  await page.keyboard.press('Enter')
  await expect(ledger(page)).toContainText('made.txt, line 1')
  await expect(ledger(page)).toContainText('make it two')
  await expect(page.getByRole('list', { name: 'Comments in this message' })).toHaveCount(0)
})

test(
  '@ at the start of a message gives it to a third-party agent, in a session of its own beside the folder',
  { tag: '@slow' },
  async ({ page, places, opened }, info) => {
    await installFake(places.data)
    await opened([say('Ours.'), say('Ours again.')])
    await send(page, 'Hello')
    await expect(page.getByText('Ours.', { exact: true })).toBeVisible()
    await composer(page).fill('@fa')
    await page.getByRole('option', { name: /^@fake/u }).click()
    await expect(composer(page)).toHaveValue('@fake ')
    await keepPictures(page, info, 'agent-mention')
    await composer(page).pressSequentially('what is here?')
    await page.keyboard.press('Enter')
    await expect(page.getByText('You said: what is here?')).toBeVisible()
    await expect(page.getByText(/^Writes beside/u)).toBeVisible()
    // An unknown name stays part of the message.
    await openSession(page, /Hello/u)
    await composer(page).fill('@nobody hello')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await expect(ledger(page)).toContainText('@nobody hello')
  },
)

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
