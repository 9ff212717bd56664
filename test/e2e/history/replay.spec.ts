import { readFile } from 'node:fs/promises'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const EDIT = { file_path: 'src/a.ts', old_string: 'a = 1', new_string: 'a = 2' }
const SCRIPT = [
  calls(call('edit_file', EDIT, 'e1')),
  calls(call('shell', { command: 'echo built; exit 3' }, 's1')),
  calls(call('shell', { command: 'rm -rf dist' }, 's2')),
  say('Changed and built.'),
]

test('a replay shows the ledger, requests, changes and output of a session at every moment, read-only', async ({
  page,
  put,
  opened,
}, info) => {
  const file = await put('src/a.ts', 'export const a = 1\n')
  const { scripted } = await opened(SCRIPT, 'Change a')
  await armed(page).waitFor()
  await sign(page)
  await expect(tray(page)).toContainText('echo built')
  await sign(page)
  await expect(tray(page)).toContainText('rm -rf dist')
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(ledger(page).getByText('Changed and built.')).toBeVisible()
  const requests = scripted.requests.length

  await page.keyboard.press('Control+Shift+y')
  const slider = page.getByRole('slider', { name: 'Moment of the session' })
  const moment = page.getByRole('main')
  await expect(slider).toHaveAttribute('aria-valuetext', /step 0 of 3$/)
  await expect(ledger(page)).toHaveText(/Change a$/)
  await expect(moment.getByRole('button', { name: 'From this message' })).toHaveCount(0)

  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expect(tray(page)).toContainText('waited for you')
  await expect(tray(page)).toContainText('export const a = 2')
  await expect(page.getByRole('button', { name: /^Sign/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Refuse/ })).toHaveCount(0)
  await keepPictures(page, info, 'replay-request')

  await page.keyboard.press('.')
  await page.keyboard.press('.')
  await expect(tray(page)).toHaveCount(0)
  const side = page.getByRole('complementary', { name: 'As it was then' })
  await expect(side.locator('[data-line]', { hasText: 'a = 2' })).toBeVisible()

  await page.keyboard.press('End')
  await expect(ledger(page).getByText('Changed and built.')).toBeVisible()
  await expect(ledger(page)).toContainText('refused')
  await side.getByRole('radio', { name: 'Terminal' }).check()
  await expect(side.locator('.xterm-rows').first()).toContainText('built')
  await keepPictures(page, info, 'replay')
  expect(await axeFindings(page)).toEqual([])

  await slider.focus()
  await page.keyboard.press('Home')
  await expect(ledger(page)).not.toContainText('Changed and built.')
  await page.getByRole('radio', { name: '16×' }).check()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(ledger(page).getByText('Changed and built.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press('g')
  await page.getByRole('textbox', { name: 'Go to step' }).fill('2')
  await page.keyboard.press('Enter')
  await expect(slider).toHaveAttribute('aria-valuetext', /step 2 of 3$/)

  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe('export const a = 2\n')
  expect(scripted.requests.length).toBe(requests)
})

test(
  'a replay starts at the moment of a search result, even offline and after a restart',
  { tag: '@slow' },
  async ({ page, opened, desk }) => {
    const { kill9, scripted } = await opened([say('The moon is far.'), say('The sun is near.')], 'About the moon')
    await expect(ledger(page).getByText('The moon is far.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Message' }).fill('And the sun?')
    await page.keyboard.press('Enter')
    await expect(ledger(page).getByText('The sun is near.')).toBeVisible()
    await kill9()
    await scripted.close()
    const again = await desk()
    await page.goto(again.address)
    await page.keyboard.press('Control+Shift+f')
    await page.getByRole('combobox', { name: 'Search all sessions' }).fill('moon is far')
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Shift+Enter')
    await expect(ledger(page).getByText('The moon is far.')).toBeVisible()
    await expect(ledger(page).getByText('And the sun?')).toHaveCount(0)
    await page.keyboard.press(']')
    await expect(ledger(page).getByText('And the sun?')).toBeVisible()
    await page.getByRole('button', { name: 'Fork before this turn' }).click()
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    await expect(ledger(page).getByText('The moon is far.')).toBeVisible()
    await expect(ledger(page).getByText('And the sun?')).toHaveCount(0)
  },
)
