import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const rules = (...entries: readonly (readonly [string, string])[]): string =>
  JSON.stringify({ version: 1, rules: entries.map(([answer, pattern]) => ({ answer, when: { kind: 'command', pattern } })) })
const runs = (command: string) => message([call('shell', { command })])

test(
  'once the folder is trusted, a project’s own rules can refuse a command or require approval, but never allow a command',
  { tag: '@slow' },
  async ({ page, put, places, model, desk }, info) => {
    await put('.countersign/rules.json', rules(['deny', 'touch:*'], ['ask', 'cat:*'], ['allow', 'mkdir:*']))
    const scripted = await model([runs('touch a.txt'), runs('cat a.txt'), runs('mkdir b'), say('Done.')])
    const { address } = await desk({ env: modelEnv(scripted) })
    await page.goto(address)
    await openProject(page, places.project)
    await send(page, 'Go')
    await expect(tray(page)).toContainText('The project’s rule cat:* asks.')
    expect(JSON.stringify((await scripted.request(1)).body)).toContain('The project’s rule touch:* denies this step.')
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(tray(page)).toContainText('mkdir b')
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+,')
    const own = page.getByRole('region', { name: 'Rules' }).getByRole('group', { name: /^Rules of/u })
    await expect(own).toContainText('They can only ask or refuse.')
    await expect(own).toContainText('No touch:*')
    await expect(own).toContainText('Ignored: mkdir:*')
    await own.scrollIntoViewIfNeeded()
    await keepPictures(page, info, 'project-rules')
    expect(await axeFindings(page)).toEqual([])
  },
)

test(
  'a changed rules file has no effect until the folder is trusted again',
  { tag: '@slow' },
  async ({ page, put, places, model, desk }) => {
    await put('.countersign/rules.json', rules(['deny', 'touch:*']))
    const scripted = await model([runs('touch a.txt'), say('First.')])
    const { address } = await desk({ env: modelEnv(scripted) })
    await page.goto(address)
    await openProject(page, places.project)
    await put('.countersign/rules.json', rules())
    await send(page, 'Go')
    await expect(page.getByText('First.', { exact: true })).toBeVisible()
    expect(JSON.stringify((await scripted.request(1)).body)).toContain('The project’s rule touch:* denies this step.')
  },
)
