import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../support/scripted-model.ts'
import { axeFindings } from './support/axe-findings.ts'
import { expect, modelEnv, openProject, send, test } from './support/desk-test.ts'
import { keepScreens } from './support/screens.ts'

test('a rule is tried on the history, saved, switched off and removed', async ({ page, places, model, desk }, info) => {
  const scripted = await model(() => say('Done.'))
  const { address } = await desk({ env: modelEnv(scripted) })
  await page.goto(address)
  await openProject(page, places.project)
  await send(page, 'Make the project known')
  await expect(page.getByRole('main')).toContainText('Done.')
  await page.keyboard.press('Control+,')
  const rules = page.getByRole('region', { name: 'Rules' })
  await expect(rules).toContainText('There are no rules.')
  await rules.getByLabel('Pattern of the new rule').fill('npm run:*')
  await rules.getByRole('button', { name: 'Try on my history' }).click()
  await expect(rules.getByRole('status')).toContainText('Would have allowed 0 of your last 0 commands')
  await rules.getByRole('button', { name: 'Save rule' }).click()
  const row = rules.getByRole('row', { name: /npm run/u })
  await expect(row).toContainText('every project')
  await expect(row).toContainText('not yet')
  const kept = async (): Promise<unknown> => JSON.parse(await readFile(join(places.data, 'rules.json'), 'utf8'))
  expect(await kept()).toMatchObject({ rules: [{ answer: 'allow', when: { kind: 'command', pattern: 'npm run:*' }, isOn: true }] })
  await keepScreens(page, info, 'settings-rules')
  expect(await axeFindings(page)).toEqual([])
  await row.getByRole('button', { name: 'Turn off' }).click()
  await expect(row).toContainText('Off')
  expect(await kept()).toMatchObject({ rules: [{ isOn: false }] })
  await row.getByRole('button', { name: 'Remove' }).click()
  await expect(rules).toContainText('There are no rules.')
  expect(await kept()).toMatchObject({ rules: [] })
})
