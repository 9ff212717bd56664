import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { composer, ledger, sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const tree = (page: Page) => page.getByRole('tree', { name: 'Files' })
const item = (page: Page, name: string) => tree(page).getByRole('treeitem', { name, exact: true })
const viewer = (page: Page, name: string) => page.getByRole('group', { name: `File ${name}` })

test('a path in an answer opens the file at its line with the writer of each line, and the file can be searched and asked about', async ({
  page,
  places: { project },
  put,
  opened,
}, info) => {
  const lines = Array.from({ length: 200 }, (_, at) => `const cents${at + 1} = ${at + 1}\n`).join('')
  await put('src/money.js', lines)
  await put('src/deep/other.js', 'let one = 1\n')
  await put('notes.md', 'Some notes.\n')
  execFileSync('git', ['init', '--quiet'], { cwd: project })
  execFileSync('git', ['add', 'src'], { cwd: project })
  const edit = { file_path: 'src/money.js', old_string: 'const cents150 = 150\n', new_string: 'const cents150 = 15_000\n' }
  await opened(
    [calls(call('read_file', { file_path: 'src/money.js' })), calls(call('edit_file', edit)), say('See `src/money.js:150`.')],
    'Go',
  )
  await sign(page)
  await ledger(page).getByRole('button', { name: 'src/money.js:150' }).click()
  const file = viewer(page, 'src/money.js')
  await expect(file.locator('[data-line="150"]')).toBeInViewport()
  await expect(file.locator('[data-column-number="150"] [data-by-words]')).toHaveText(/^Step \d$/u)
  await expect(file).toContainText('200 lines')
  await expect(item(page, 'money.js changed')).toHaveAttribute('aria-selected', 'true')
  await expect(item(page, 'notes.md new')).toBeVisible()
  await keepPictures(page, info, 'viewer')
  expect(await axeFindings(page)).toEqual([])

  await page.keyboard.press('Control+f')
  await expect(page.getByRole('searchbox', { name: 'Find in this file' })).toBeFocused()
  await page.keyboard.type('CENTS19')
  await expect(file).toContainText('1 of 11')
  await expect(file.locator('[data-line="19"]')).toBeInViewport()
  await page.keyboard.press('Shift+Enter')
  await expect(file).toContainText('11 of 11')
  await expect(file.locator('[data-line="199"]')).toBeInViewport()
  await keepPictures(page, info, 'found')
  await page.keyboard.press('Escape')

  // A change on disk is shown.
  await writeFile(join(project, 'src/money.js'), `// new first line\n${lines}`)
  await expect(file).toContainText('201 lines')

  await page.keyboard.press('Control+p')
  await expect(page.getByRole('searchbox', { name: 'Find a file' })).toBeFocused()
  await page.keyboard.type('mon')
  await expect(page.getByRole('list', { name: 'Found files' }).getByRole('button')).toHaveText([/money\.js/u])
  // Enter at once opens the best match of the new text, not of the list that is still shown.
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('oth')
  await page.keyboard.press('Enter')
  await expect(viewer(page, 'src/deep/other.js')).toContainText('let one = 1')
  await viewer(page, 'src/deep/other.js').locator('[data-column-number="1"] [data-line-number-content]').click()
  await page.getByRole('button', { name: 'Ask about line 1' }).click()
  await expect(composer(page)).toHaveValue('@src/deep/other.js:1 ')
  await expect(composer(page)).toBeFocused()
})

test('the file tree works with the keyboard, shows changes on disk, and adds files to the message', async ({
  page,
  places: { project },
  put,
  opened,
}, info) => {
  await put('a/b/one.txt', 'one\n')
  await put('a/two.txt', 'two\n')
  await put('z.txt', 'last\n')
  await opened([])
  await page.keyboard.press('Control+p')
  await expect(item(page, 'z.txt')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(item(page, 'a')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(item(page, 'b')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(item(page, 'b')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item(page, 'two.txt')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(viewer(page, 'a/two.txt')).toContainText('two')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Text of a/two.txt' })
  await field.fill('two and a half\n')
  await page.reload()
  await expect(field).toHaveValue('two and a half\n')
  await expect(item(page, 'b')).toBeVisible()
  await page.keyboard.press('Escape')
  await keepPictures(page, info, 'editor')
  // Unsaved text is kept while another file is shown.
  await item(page, 'z.txt').click()
  await expect(viewer(page, 'z.txt')).toContainText('last')
  await item(page, 'two.txt').click()
  await field.focus()
  await page.keyboard.press('Control+s')
  await expect(viewer(page, 'a/two.txt')).toContainText('two and a half')
  expect(await readFile(join(project, 'a/two.txt'), 'utf8')).toBe('two and a half\n')
  await put('a/three.txt', 'three\n')
  await expect(item(page, 'three.txt')).toBeVisible()
  await rm(join(project, 'z.txt'))
  await expect(item(page, 'z.txt')).toHaveCount(0)
  await item(page, 'three.txt').click({ button: 'right' })
  await keepPictures(page, info, 'menu')
  await page.getByRole('menuitem', { name: 'Add to the message' }).click()
  await expect(composer(page)).toHaveValue('@a/three.txt ')
  // The folders are still unfolded when the list is opened again.
  await page.keyboard.press('Control+p')
  await expect(item(page, 'three.txt')).toBeVisible()
})

test('an unsaved edit is shown whichever path opens its file, and is never saved over newer content', async ({
  page,
  places: { project },
  put,
  opened,
}) => {
  await put('a.txt', 'one\n')
  await put('z.txt', 'last\n')
  const absolute = join(project, 'a.txt')
  await opened([say(`See \`${absolute}:1\`.`)], 'Go')
  const link = ledger(page).getByRole('button', { name: `${absolute}:1` })
  await link.click()
  await expect(viewer(page, 'a.txt')).toContainText('one')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Text of a.txt' })
  await field.fill('mine\n')
  await item(page, 'z.txt').click()
  await expect(viewer(page, 'z.txt')).toContainText('last')
  await page.keyboard.press('Escape')
  await link.click()
  await expect(field).toHaveValue('mine\n')
  await rm(absolute)
  await expect(item(page, 'a.txt')).toHaveCount(0)
  await expect(field).toHaveValue('mine\n')
  await put('a.txt', 'of the agent\n')
  await expect(item(page, 'a.txt')).toBeVisible()
  await field.focus()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('It has changed since it was shown')).toBeVisible()
  expect(await readFile(absolute, 'utf8')).toBe('of the agent\n')
})

test('a file or a folder is dragged from the tree into the message', { tag: '@slow' }, async ({ page, put, opened }, info) => {
  await put('docs/one.md', 'one\n')
  await put('two.md', 'two\n')
  await opened([])
  await composer(page).fill('Compare')
  for (const name of ['docs', 'two.md']) {
    await page.keyboard.press('Control+p')
    await item(page, name).hover()
    await page.mouse.down()
    await page.mouse.move(800, 400)
    await page.mouse.move(810, 410)
    await expect(page.getByText('Drop to add to the message')).toBeVisible()
    await keepPictures(page, info, 'dragged')
    await page.mouse.up()
    await expect(composer(page)).toBeFocused()
  }
  await expect(composer(page)).toHaveValue('Compare @docs @two.md ')
})
