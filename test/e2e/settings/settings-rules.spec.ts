import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { keepScreens } from '../support/screens.ts'

test('a rule can be tried on the history, saved, switched off and removed, and imported after a preview', async ({
  page,
  places,
  put,
  model,
  desk,
}, info) => {
  const scripted = await model(() => say('Done.'))
  const { address } = await desk({ env: modelEnv(scripted) })
  await page.goto(address)
  await openProject(page, places.project)
  await send(page, 'Make the project known')
  await expect(page.getByRole('main')).toContainText('Done.')
  await page.keyboard.press('Control+,')
  const rules = page.getByRole('region', { name: 'Rules' })
  await expect(rules).toContainText('You have no rules.')
  // The section above shifts the form until its measurement is complete.
  await expect(page.getByText('Measuring…')).toHaveCount(0)
  await rules.getByLabel('Pattern of the new rule').fill('npm run:*')
  await rules.getByRole('button', { name: 'Try on my history' }).click()
  await expect(rules.getByRole('status')).toContainText('No command has run yet, so there is nothing to try the rule on.')
  await rules.getByRole('button', { name: 'Save rule' }).click()
  const row = rules.getByRole('row', { name: /npm run/u })
  await expect(row).toContainText('every project')
  await expect(row).toContainText('not yet')
  const kept = async (): Promise<unknown> => JSON.parse(await readFile(join(places.data, 'rules.json'), 'utf8'))
  expect(await kept()).toMatchObject({ rules: [{ answer: 'allow', when: { kind: 'command', pattern: 'npm run:*' }, isOn: true }] })
  await row.getByRole('button', { name: 'What it matches' }).click()
  await expect(rules).toContainText('No command has run yet, so there is nothing to try the rule on.')
  await keepScreens(page, info, 'settings-rules')
  expect(await axeFindings(page)).toEqual([])
  await row.getByRole('button', { name: 'Turn off' }).click()
  await expect(row).toContainText('Off')
  expect(await kept()).toMatchObject({ rules: [{ isOn: false }] })
  await row.getByRole('button', { name: 'Remove' }).click()
  await expect(rules).toContainText('You have no rules.')
  expect(await kept()).toMatchObject({ rules: [] })

  await put('.claude/settings.json', '{"permissions":{"deny":["Bash(git push:*)"],"allow":["Bash(git * main)"]}}')
  await rules.getByRole('button', { name: 'Import from Claude Code' }).click()
  const preview = rules.getByRole('status')
  await expect(preview).toContainText('No git push:*')
  await expect(preview).toContainText('Not imported: Bash(git * main)')
  expect(await kept()).toMatchObject({ rules: [] })
  await preview.getByRole('button', { name: 'Add 1 rule' }).click()
  await expect(rules.getByRole('row', { name: /git push/u })).toContainText('Claude Code')
  const where = { kind: 'project', folder: places.project }
  expect(await kept()).toMatchObject({ rules: [{ answer: 'deny', when: { pattern: 'git push:*' }, where, origin: 'claude-code' }] })
})

test(
  'a rule edited during its trial cannot be saved, and a rule that fails to save stays in the form',
  { tag: '@slow' },
  async ({ page, places, model, desk }) => {
    const scripted = await model(() => say('Done.'))
    const { address } = await desk({ env: modelEnv(scripted) })
    const late: (() => void)[] = []
    let isLate = false
    await page.routeWebSocket(/.*/u, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        if (isLate) late.push(() => socket.send(message))
        else socket.send(message)
      })
    })
    await page.goto(address)
    await openProject(page, places.project)
    await page.keyboard.press('Control+,')
    const rules = page.getByRole('region', { name: 'Rules' })
    const pattern = rules.getByLabel('Pattern of the new rule')
    await expect(rules).toContainText('You have no rules.')
    await pattern.fill('npm run:*')
    isLate = true
    await rules.getByRole('button', { name: 'Try on my history' }).click()
    await expect.poll(() => late.length).toBeGreaterThan(0)
    await pattern.fill('npm publish')
    isLate = false
    for (const send of late) send()
    // The import is requested after the late responses were sent, so once the import is answered, those responses have arrived too.
    await rules.getByRole('button', { name: 'Import from Codex' }).click()
    await expect(rules).toContainText('No file with rules was found.')
    await expect(rules.getByRole('button', { name: 'Save rule' })).toHaveCount(0)
    await pattern.fill('npm run lint')
    await rules.getByRole('button', { name: 'Try on my history' }).click()
    await rules.getByRole('button', { name: 'Save rule' }).click()
    await expect(rules.getByRole('row', { name: /npm run lint/u })).toBeVisible()
    await pattern.fill('npm test')
    await rules.getByRole('button', { name: 'Try on my history' }).click()
    await writeFile(join(places.data, 'rules.json'), '{')
    await rules.getByRole('button', { name: 'Save rule' }).click()
    await expect(rules).toContainText('cannot be used')
    await expect(pattern).toHaveValue('npm test')
  },
)
