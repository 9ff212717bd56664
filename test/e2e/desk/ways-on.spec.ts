import { call, calls, httpError, say } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { composer, ledger, sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test('session rows, messages, steps and changed files have menus at the pointer, and a step can become a rule', async ({
  page,
  opened,
}, info) => {
  await opened(
    ({ index }) => (index === 0 ? calls(call('write_file', { file_path: 'made.txt', content: 'one\n' })) : say('Done.')),
    'Write a file',
  )
  await sign(page)
  await expect(page.getByRole('paragraph').getByText('Done.')).toBeVisible()
  const menu = page.getByRole('menu')
  const shows = async (...labels: readonly string[]): Promise<void> => {
    for (const label of labels) await expect(menu.getByRole('menuitem', { name: label })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
  }
  const right = { button: 'right' } as const
  await page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: /Write a file/u })
    .click(right)
  await keepPictures(page, info, 'session-menu')
  await shows('Rename', 'Pin', 'Export as Markdown')
  await page.getByRole('heading', { name: 'Write a file', level: 2 }).click(right)
  await shows('Edit and send again, in a new session', 'Copy the text')
  await page.getByRole('paragraph').getByText('Done.').click(right)
  await shows('Fork from here', 'Copy the text')
  await page.getByRole('tabpanel').getByText('made.txt').first().click(right)
  await shows('Hide the diff', 'Open in the editor', 'Copy the path')

  await page.locator('[data-step="1"]').getByText('made.txt').first().click(right)
  await keepPictures(page, info, 'step-menu')
  await menu.getByRole('menuitem', { name: 'Make a rule of this step…' }).click()
  await expect(page.getByLabel('Pattern of the new rule')).toHaveValue('/made.txt')
  await expect(page.getByLabel('Pattern of the new rule')).toBeFocused()
  await keepPictures(page, info, 'rule-of-step')
})

test(
  'a menu at the pointer stays open when the pointer moves off it before the button is released',
  { tag: '@slow' },
  async ({ page, opened }) => {
    await opened([say('Done.')], 'Write a file')
    const heading = page.getByRole('heading', { name: 'Write a file', level: 2 })
    const box = await heading.boundingBox()
    const { x, y } = { x: (box?.x ?? 0) + 12, y: (box?.y ?? 0) + 12 }
    await page.mouse.move(x, y)
    await page.mouse.down({ button: 'right' })
    await page.mouse.move(x - 4, y - 8)
    await page.mouse.up({ button: 'right' })
    const item = page.getByRole('menu').getByRole('menuitem', { name: 'Copy the text' })
    await item.click()
    await expect(page.getByRole('menu')).toHaveCount(0)
  },
)

test('a turn that failed goes on with another model, chosen beside the error', async ({ page, opened }, info) => {
  const { scripted } = await opened(
    ({ index }) => (index === 0 ? httpError(400, 'invalid_request_error', 'This model is closed.') : say('Here I am.')),
    'Hello',
  )
  const other = page.getByRole('combobox', { name: 'Go on with another model' })
  await other.click()
  const option = page.getByRole('option').first()
  const name = (await option.innerText()).split('\n')[0] ?? ''
  await keepPictures(page, info, 'other-model')
  await option.click()
  await expect(ledger(page)).toContainText('Here I am.')
  expect(scripted.requests.at(-1)?.body.model).toBe(name)
  expect(scripted.requests.at(0)?.body.model).not.toBe(name)
  await expect(composer(page)).toBeVisible()
})

test('a setting is found by a word of its name or its explanation', { tag: '@slow' }, async ({ page, opened }, info) => {
  await opened([])
  await page.keyboard.press('Control+,')
  const field = page.getByRole('searchbox', { name: 'Search the settings' })
  await field.fill('plan that you sign')
  const found = page.getByRole('list', { name: 'Found settings' })
  await expect(found.getByRole('button')).toHaveText([/Plan first/u])
  await keepPictures(page, info, 'found-setting')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Plan first' })).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Plan first' })).toBeInViewport({ ratio: 1 })
  await field.fill('no such words')
  await expect(page.getByText('No setting has these words.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Providers and keys' })).toBeVisible()
})
