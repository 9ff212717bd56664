import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const LINES = ['echo one > one.txt', 'echo two > two.txt', 'exit 3']
const LONG = 'packages/server/src/an-uncommonly-long-name-of-a-module-for-invoices-and-periods.test.ts'

test('a multi-line command is shown completely, a failed command has its own mark, and the end of a long path stays visible', async ({
  page,
  opened,
}, info) => {
  await opened([
    calls(call('shell', { command: LINES.join('\n') }), call('write_file', { file_path: LONG, content: 'new\n' })),
    calls(call('shell', { command: '/bin/true' })),
    say('Done.'),
  ])
  await page.keyboard.press('Control+2')
  await send(page, 'Run them')
  for (const words of ['one.txt', LONG, 'true']) {
    await expect(tray(page)).toContainText(words)
    await sign(page)
  }
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()

  const block = page.getByRole('list', { name: 'Commands of this session' }).getByRole('listitem')
  await expect(block.first()).toContainText(LINES.join('\n'), { useInnerText: true })
  await expect(block.first().locator('[data-mark=failed]')).toBeVisible()
  await expect(block.last()).toContainText('exit 0')
  await expect(block.last().locator('[data-mark]')).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'terminal')

  await page.keyboard.press('Control+Shift+d')
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps).toContainText('echo one > one.txt …')
  await expect(page.getByRole('region', { name: 'packages/server/src' }).locator('[data-end]')).toHaveAttribute('data-end', /s\.test\.ts$/)
  await keepPictures(page, info, 'review')
  await page.setViewportSize({ width: 900, height: 700 })
  await page.getByRole('combobox', { name: 'Scope' }).click()
  await page.getByRole('option', { name: /^Step 2/ }).click()
  await expect(page.getByRole('combobox', { name: 'Scope' })).toHaveText('Step 2')
  await keepPictures(page, info, 'review-narrow')
  expect(await axeFindings(page)).toEqual([])
})
