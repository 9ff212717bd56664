import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { sign } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

test.use({ sandbox: 'off' })

/** Commands that a killed shell left running. The next launch offers to stop or keep them, each with one press. */
// The test reads /proc to find out whether a process has ended, and other systems have no such folder.
test.skip(process.platform !== 'linux', 'reads /proc')

const ended = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat[stat.lastIndexOf(')') + 2] === 'Z'
  } catch {
    return true
  }
}

/** Returns a command that survives the end of its terminal, as servers do. It writes its pid once it ignores SIGHUP. */
const lasting = (name: string): string => `trap '' HUP; echo $$ > ${name}.pid; exec sleep 300`

async function pidOf(project: string, name: string): Promise<number> {
  const file = join(project, `${name}.pid`)
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')).toBe(true)
  return Number(readFileSync(file, 'utf8'))
}

const notice = (page: Page) => page.getByRole('region', { name: /still running/ })

test('processes left by a killed app are listed once, and each can be kept or ended', async ({ page, places, model, desk }, info) => {
  const names = ['server', 'watcher'] as const
  const scripted = await model([
    calls(...names.map((name) => call('shell', { command: lasting(name), run_in_background: true }))),
    say('Both run.'),
  ])
  const first = await desk({ env: modelEnv(scripted) })
  await page.goto(first.address)
  await openProject(page, places.project)
  await send(page, 'Start both')
  for (const name of names) await sign(page, `${name}.pid`)
  await expect(page.getByText('Both run.', { exact: true })).toBeVisible()
  const server = await pidOf(places.project, 'server')
  const watcher = await pidOf(places.project, 'watcher')
  await first.kill9()

  try {
    const second = await desk()
    await page.goto(second.address)
    const rows = notice(page).getByRole('listitem')
    await expect(notice(page).getByRole('heading')).toHaveText(/^2 commands are still running/)
    await expect(rows).toHaveText([new RegExp('server.pid'), new RegExp('watcher.pid')])
    await expect(rows.first()).toContainText(places.project)
    await expect(rows.first()).toContainText(/since \d\d:\d\d:\d\d/)
    expect(await axeFindings(page)).toEqual([])
    await keepScreens(page, info, 'leftovers')
    await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('A command is still running')
    await expect(page.getByRole('button', { name: 'Add a key' })).toHaveCount(0)
    await page.keyboard.press('Control+j')
    await expect(rows.first().getByRole('button', { name: /^Keep/ })).toBeFocused()
    const ran = page
      .getByRole('list', { name: /^Ledger/ })
      .getByRole('listitem')
      .filter({ hasText: 'as bg_' })
    await expect(ran).toContainText(['still running', 'still running'])
    expect([ended(server), ended(watcher)]).toEqual([false, false])

    await rows.filter({ hasText: 'server.pid' }).getByRole('button', { name: /^Keep/ }).click()
    await expect(rows).toHaveCount(1)
    await notice(page).getByRole('button', { name: 'Stop it' }).click()
    await expect(notice(page)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Needs you' })).toHaveCount(0)
    expect([ended(server), ended(watcher)]).toEqual([false, true])
    const ledger = page.getByRole('list', { name: /^Ledger/ })
    await expect(ledger).toContainText(/server\.pid.*You let it run\./)
    await expect(ledger).toContainText(/watcher\.pid.*It has now been stopped\./)
    await second.kill9()

    const third = await desk()
    await page.goto(third.address)
    await expect(ledger).toContainText('You let it run.')
    await expect(notice(page)).toHaveCount(0)
    expect(ended(server)).toBe(false)
  } finally {
    for (const pid of [server, watcher]) if (!ended(pid)) process.kill(pid, 'SIGKILL')
  }
})
