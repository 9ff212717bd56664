import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { extractResources } from '../../electron/fake-distribution.ts'
import { entryIn, packApp, setVersion } from '../../electron/packed-app.ts'
import { type UpdateFeed, startUpdateFeed } from '../../electron/update-feed.ts'
import { type Script, call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, needsCopies, openProject, send, test } from '../support/desk-test.ts'
import { DESKTOP_SCRIPT } from '../support/desktop/running-desktop.ts'
import { commitWithRemote, writeFakeGh } from '../support/fake-forge.ts'
import { composer, entries, ledger, openSession, sign, tray } from '../support/on-the-desk.ts'
import { EVERY_STATE, keepPictures } from '../support/pictures.ts'
import { temporary } from '../support/running-desk.ts'

needsCopies()

const FIXED = 'export const rate = (invoice) => invoice.rate\n'
const SUBJECT = 'Carry the rate'
const PULL_REQUEST = {
  number: 41,
  title: SUBJECT,
  url: 'https://github.com/acme/tidewater/pull/41',
  state: 'OPEN',
  baseRefName: 'main',
  body: 'A credit note has the rate of its invoice.',
  statusCheckRollup: [],
}

/** Answers according to the request and the number of tool results in it. */
const script: Script = ({ body }) => {
  const all = JSON.stringify(body)
  const results = all.split('"tool_result"').length - 1
  if (/Write a git commit message|title and the description of a pull request/u.test(all)) return say(`${SUBJECT}\n\nAs on its invoice.`)
  if (all.includes('Wait for the tide')) return calls(call('shell', { command: 'echo waiting; sleep 600' }))
  if (all.includes('Read quoted cells'))
    return results > 0 ? say('Quoted cells are read.') : calls(call('shell', { command: 'echo "export const quoted = true" > csv.js' }))
  if (results === 0) return calls(call('read_file', { file_path: 'vat.js' }))
  return results === 1 ? calls(call('write_file', { file_path: 'vat.js', content: FIXED })) : say('The rate is carried.')
}

/** The packed app as an AppImage, whose feed offers another build of it with version 9.0.0. */
async function installedApp(folder: string): Promise<UpdateFeed> {
  const { resources } = await packApp(folder, ['dir'], {})
  const runs = (version: string): string => {
    const own = join(folder, version)
    return `export COUNTERSIGN_TEST_RESOURCES='${own}' APPIMAGE="$0"\nexec '${process.execPath}' '${DESKTOP_SCRIPT}' '${entryIn(own)}' "$@"`
  }
  const feed = await startUpdateFeed({ resources, runs })
  for (const version of ['0.1.0', '9.0.0']) await extractResources(resources, join(folder, version))
  await setVersion(join(folder, '9.0.0'), '0.1.0', '9.0.0')
  return feed
}

const SIZES = [
  [900, 700],
  [1920, 1080],
  [1440, 900],
] as const

test(
  'a newcomer’s day with the packed app: a key, two tasks side by side, a pull request, quitting during work, an update, and nothing lost',
  { tag: '@slow' },
  async ({ page, places: { project }, put, model, desktop }, info) => {
    // The update replaces the file of an AppImage, which only Linux starts. Updates of the other systems need their installers.
    test.skip(process.platform !== 'linux', 'the installed app of this test is an AppImage')
    test.setTimeout(600_000)
    page.setDefaultTimeout(30_000)
    /** Checks the accessibility of a state, and keeps pictures of it in three sizes. */
    const look = async (name: string): Promise<void> => {
      expect(await axeFindings(page)).toEqual([])
      if (!EVERY_STATE) return
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        await keepPictures(page, info, `${name}-${width}`)
      }
    }
    const { path: folder, remove } = temporary('day')
    const feed = await installedApp(folder)
    try {
      await writeFakeGh(join(folder, 'bin'), { view: PULL_REQUEST })
      await put('vat.js', 'export const rate = () => 19\n')
      commitWithRemote(project, join(folder, 'remote'))
      const { url } = await model(script)
      const env = {
        ANTHROPIC_BASE_URL: url,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        XDG_CACHE_HOME: join(folder, 'cache'),
        SHELL: '/bin/sh',
      }
      const first = await desktop({ env, program: feed.image })
      await page.goto(first.address)
      await setUp(page, project, look)
      await workOnTwo(page, look)
      await publish(page, look)
      expect(execFileSync('git', ['log', '-1', '--format=%s', 'main'], { cwd: join(folder, 'remote'), encoding: 'utf8' })).toBe(
        `${SUBJECT}\n`,
      )
      expect(await readFile(join(folder, 'bin', 'open'), 'utf8')).toBe(`--title ${SUBJECT} --body As on its invoice.\n`)
      await leaveAtWork(page)
      const before = await storyOf(page, /^Read quoted/u)
      await composer(page).fill('half a thought')
      await look('files-left')

      await page.getByRole('button', { name: 'Version 9.0.0 is ready' }).click()
      await expect(page.getByText('It is ready, and is installed when Countersign quits.')).toBeVisible()
      await page.keyboard.press('Escape')
      first.give({ kind: 'closes_window' })
      const question = page.getByRole('dialog', { name: 'Quit Countersign' })
      await expect(question).toContainText('2 sessions are at work')
      await look('quit')
      await question.getByRole('button', { name: 'Stop and quit' }).click()
      expect(await first.ended).toBe(0)
      expect([feed.installed(), feed.starts().at(-1)]).toEqual(['9.0.0', 'exit'])

      const second = await desktop({ env, program: feed.image })
      await page.goto(second.address)
      await expect(composer(page)).toHaveValue('half a thought')
      expect(await storyOf(page, /^Read quoted/u)).toEqual(before)
      await expect(page.locator('.xterm-rows')).toContainText('[42]')
      await expect(page.locator('.xterm-rows')).toContainText('Restored with a new shell.')
      await look('again')
      await openSession(page, /Carry the rate/u)
      await expect(ledger(page)).toContainText('The rate is carried.')
      await expect(tray(page)).toContainText('Countersign closed while this turn was running.')
      await look('interrupted')
      await page.getByRole('button', { name: 'Settings', exact: true }).click()
      await page.getByRole('button', { name: 'About' }).click()
      await expect(page.getByText('9.0.0', { exact: false }).first()).toBeVisible()
      await expect(page.getByText('…omer')).toBeVisible()
      await expect(page.getByRole('button', { name: /on disk/u })).toHaveCount(0)
      expect([await readFile(join(project, 'vat.js'), 'utf8'), second.errors()]).toEqual([FIXED, ''])
    } finally {
      await feed.stop()
      await remove()
    }
  },
)

type Look = (name: string) => Promise<void>

async function setUp(page: Page, project: string, look: Look): Promise<void> {
  await look('first')
  await page.getByLabel('Key').fill('sk-ant-canary-of-the-newcomer')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await expect(page.getByText('The key is saved')).toBeVisible()
  await look('key')
  await openProject(page, project)
}

/** The newcomer starts the second task before the first is signed, signs the first beside it, and brings the second in. */
async function workOnTwo(page: Page, look: Look): Promise<void> {
  await send(page, 'Carry the rate of the invoice')
  // At once, as an impatient person does.
  await page.keyboard.press('Control+n')
  await expect(page.getByText('Nothing has happened yet')).toBeVisible()
  await page.getByRole('button', { name: /^Work: /u }).click()
  await page.getByRole('radio', { name: /Beside/u }).click()
  await send(page, 'Read quoted cells')
  await expect(ledger(page)).toContainText('Quoted cells are read.')
  await page.keyboard.press('Control+Shift+b')
  await expect(page.locator('[data-session-pane]')).toHaveCount(2)
  await expect(tray(page)).toContainText('vat.js')
  await look('pair')
  await sign(page, 'vat.js')
  await expect(page.getByText('The rate is carried.')).toBeVisible()
  await page.getByRole('button', { name: 'Close Carry the rate of the invoice' }).click()
  await page.getByRole('button', { name: 'Bring in changes…' }).click()
  await page.getByRole('button', { name: /^Sign \d/u }).click()
  await expect(ledger(page)).toContainText('Anything you did not sign stays in the layer.')
}

async function publish(page: Page, look: Look): Promise<void> {
  await page.keyboard.press('Control+Shift+d')
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('csv.js')
  await page.getByRole('radio', { name: 'Folder' }).click()
  await page.getByRole('button', { name: 'Stage all' }).click()
  await page.getByRole('button', { name: 'Draft with the model' }).click()
  await expect(page.getByRole('textbox', { name: 'Commit message' })).toHaveValue(`${SUBJECT}\n\nAs on its invoice.`)
  await look('commit')
  await page.getByRole('button', { name: 'Commit', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Committed /u })).toBeVisible()
  await page.getByRole('button', { name: 'Push and pull request…' }).click()
  const pane = page.getByRole('main', { name: 'Publish' })
  await pane.getByRole('button', { name: 'Push' }).click()
  await expect(pane).toContainText('all pushed to origin/main')
  await pane.getByRole('button', { name: 'Draft with the model' }).click()
  await expect(pane.getByRole('textbox', { name: 'Title' })).toHaveValue(SUBJECT)
  await pane.getByRole('button', { name: 'Open the pull request' }).click()
  await expect(pane).toContainText('Pull request 41, open, into main')
  await look('pull-request')
  await page.keyboard.press('Escape')
}

/** A command runs in one session, and an own terminal in the other. */
async function leaveAtWork(page: Page): Promise<void> {
  await openSession(page, /^Carry the rate/u)
  await send(page, 'Wait for the tide')
  await expect(page.getByText('waiting', { exact: true }).first()).toBeVisible()
  await openSession(page, /^Read quoted/u)
  await page.keyboard.press('Control+Backquote')
  await page.keyboard.type('echo "[$((40 + 2))]"\n')
  await expect(page.locator('.xterm-rows')).toContainText('[42]')
}

/** The rows of a session's ledger as text. */
async function storyOf(page: Page, title: RegExp): Promise<readonly string[]> {
  await openSession(page, title)
  await expect(ledger(page)).toContainText('Quoted cells are read.')
  return entries(page).allInnerTexts()
}
