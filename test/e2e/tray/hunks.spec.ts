import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { fitsEverywhere } from '../support/misplaced.ts'
import { armed, ledger, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const lines = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => `${changes[at + 1] ?? `const line${at + 1} = ${at + 1}`}\n`).join('')
const CHANGES = { 2: 'const second = 2', 20: 'const twentieth = 20', 38: 'const last = 38' }
const hunk = (at: number): string =>
  `@@\n const line${at - 1} = ${at - 1}\n-const line${at} = ${at}\n+${CHANGES[at as keyof typeof CHANGES]}\n const line${at + 1} = ${at + 1}`
const PATCH = [
  '*** Begin Patch',
  '*** Update File: a.ts',
  hunk(2),
  hunk(20),
  hunk(38),
  '*** Add File: new.ts',
  '+export const added = true',
  '*** Delete File: old.ts',
  '*** End Patch',
].join('\n')
const SCRIPT = [message([call('apply_patch', { patch: PATCH })]), say('Done.')]

const hunks = (page: Page): Locator => tray(page).locator('[data-hunk]')
const states = (page: Page) => hunks(page).evaluateAll((all) => all.map((one) => (one instanceof HTMLElement ? one.dataset['hunk'] : '')))

test.beforeEach(async ({ put }) => {
  await put('a.ts', lines())
  await put('old.ts', 'export {}\n')
})

test('hunks are kept, refused and edited with keys, and exactly the resulting text is written', async ({ page, places, opened }, info) => {
  const { scripted } = await opened(SCRIPT, 'Rename them')
  await expect(hunks(page)).toHaveCount(5)
  await expect(armed(page)).toBeVisible()
  await expect(tray(page)).not.toContainText('Why it asks')
  await fitsEverywhere(page, info, 'hunks')
  await page.keyboard.press('Control+j')
  await page.keyboard.press('n')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  const editor = tray(page).getByRole('textbox')
  await expect(editor).toBeFocused()
  await expect(editor).toHaveValue('const twentieth = 20\n')
  await expect(tray(page)).toContainText('Finish editing hunk 2 first.')
  await expect(armed(page)).toHaveCount(0)
  await expect(tray(page).getByRole('button', { name: 'Sign' })).toHaveAccessibleDescription('Finish editing hunk 2 first.')
  await expect(tray(page).locator('textarea + pre').getByText('const', { exact: true })).toHaveCSS('font-weight', '700')
  const numbers = () =>
    tray(page)
      .locator('textarea + pre > [data-line]')
      .evaluateAll((all) => all.map((one) => one.dataset['line']))
  expect(await numbers()).toEqual(['20'])
  await keepPictures(page, info, 'hunk-edited')
  // A long line wraps in the text field in the same way as in the highlighted copy of its text, so that the numbers stay beside their
  // lines.
  await editor.fill(`one\n\n\tthree ${'long '.repeat(80)}${'x'.repeat(300)}\nfour`)
  expect(await numbers()).toEqual(['20', '21', '22', '23'])
  const heights = await editor.evaluate((field) => [field.clientHeight, field.nextElementSibling?.clientHeight])
  expect(heights[0]).toBe(heights[1])
  expect(heights[0]).toBeGreaterThan(6 * 20)
  await keepPictures(page, info, 'hunk-edited-wrapped')
  // In the editor, the keys for hunks type letters, and no key signs.
  // The text lacks its last line feed, which must not join it with the next line of the file.
  await editor.fill('const mine = 20 // jkyne')
  await expect(tray(page).locator('textarea + pre').getByText('// jkyne')).toHaveCSS('font-style', 'italic')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+s')
  await expect(editor).toHaveCount(0)
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('n')
  await expect(tray(page)).toContainText('Sign 3 of 5 hunks')
  expect(await states(page)).toEqual(['refused', 'signed', 'signed', 'signed', 'refused'])
  await expect(armed(page)).toBeVisible()
  await keepPictures(page, info, 'hunks')
  await page.keyboard.press('Control+Enter')

  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  const file = (name: string) => readFile(join(places.project, name), 'utf8')
  expect(await file('a.ts')).toBe(lines({ 20: 'const mine = 20 // jkyne', 38: CHANGES[38] }))
  expect(await file('new.ts')).toBe('export const added = true\n')
  expect(existsSync(join(places.project, 'old.ts'))).toBe(true)
  await expect(ledger(page)).toContainText('1 hunk refused, 1 hunk in your version, 1 file refused')
  const told = JSON.stringify((await scripted.request(1)).body)
  expect(told).toContain('1 of 3 hunks signed, 1 refused, 1 edited')
  expect(told).toContain('+const mine = 20 // jkyne')
})

test('Esc leaves the editor and keeps the draft, and Discard restores the proposal', { tag: '@slow' }, async ({ page, opened }) => {
  await opened(SCRIPT, 'Rename them')
  await expect(hunks(page)).toHaveCount(5)
  await page.keyboard.press('Control+j')
  await page.keyboard.press('e')
  const editor = tray(page).getByRole('textbox')
  await editor.press('Control+Home')
  await editor.press('X')
  await expect(editor).toHaveValue('Xconst second = 2\n')
  await page.keyboard.press('Control+z')
  await expect(editor).toHaveValue('const second = 2\n')
  await page.keyboard.press('Control+Shift+z')
  await expect(editor).toHaveValue('Xconst second = 2\n')
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)
  await expect(tray(page)).toContainText('Sign 3 changes')
  await page.keyboard.press('e')
  await expect(editor).toHaveValue('Xconst second = 2\n')
  await tray(page).getByRole('button', { name: 'Discard' }).click()
  await page.keyboard.press('e')
  await expect(editor).toHaveValue('const second = 2\n')
})

test(
  'nothing can be signed if every hunk is refused, and Shift Y keeps all hunks again',
  { tag: '@slow' },
  async ({ page, places, opened }) => {
    await opened(SCRIPT, 'Rename them')
    await expect(hunks(page)).toHaveCount(5)
    await page.keyboard.press('Control+j')
    for (const key of ['n', 'j', 'n', 'j', 'n', 'j', 'n', 'j', 'n']) await page.keyboard.press(key)
    await expect(tray(page)).toContainText('Nothing is left to sign. Refuse the request instead.')
    await expect(armed(page)).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    expect(await readFile(join(places.project, 'a.ts'), 'utf8')).toBe(lines())
    await page.keyboard.press('Shift+Y')
    await expect(tray(page)).toContainText('Sign 3 changes')
    await expect(armed(page)).toBeVisible()
  },
)

test('decisions about hunks survive a switch to another session', { tag: '@slow' }, async ({ page, opened }) => {
  await opened(SCRIPT, 'Rename them')
  await expect(hunks(page)).toHaveCount(5)
  await page.keyboard.press('Control+j')
  await page.keyboard.press('n')
  await page.keyboard.press('Control+n')
  await expect(tray(page)).toHaveCount(0)
  await page.keyboard.press('Control+j')
  await expect(tray(page)).toContainText('Sign 4 of 5 hunks')
})

test(
  'three changes with few lines between them are three decisions, each named after its function, and an edit shows only what differs',
  { tag: '@slow' },
  async ({ page, places, put, opened }, info) => {
    const functions = (body: (name: string) => string): string =>
      ['total', 'vat', 'cents'].map((name) => `function ${name}(a) {\n  ${body(name)}\n}\n`).join('\n')
    await put(
      'money.js',
      functions((name) => `return a // ${name}`),
    )
    const edit = call('write_file', { file_path: 'money.js', content: functions((name) => `check(a)\n  return a + 1 // ${name}`) })
    await opened([message([call('read_file', { file_path: 'money.js' })]), message([edit]), say('Done.')], 'Check them')
    await expect(hunks(page)).toHaveCount(3)
    await expect(armed(page)).toBeVisible()
    for (const [at, name] of ['total', 'vat', 'cents'].entries()) await expect(hunks(page).nth(at)).toContainText(name)
    await page.keyboard.press('Control+j')
    await page.keyboard.press('n')
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await tray(page).getByRole('textbox').fill('  check(a)\n  return a // vat\n')
    await page.keyboard.press('Control+s')
    await expect(hunks(page).nth(1)).toContainText('your version')
    await expect(hunks(page).nth(1)).toContainText('+1 −0')
    // One change is refused, and one is the user's version.
    await expect(tray(page).locator('header')).toContainText('+3 −1')
    await keepPictures(page, info, 'near-hunks')
    await expect(tray(page)).toContainText('Sign 2 of 3 hunks')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(await readFile(join(places.project, 'money.js'), 'utf8')).toBe(
      functions((name) =>
        name === 'total' ? 'return a // total' : name === 'vat' ? 'check(a)\n  return a // vat' : 'check(a)\n  return a + 1 // cents',
      ),
    )
  },
)

test(
  'a change can be signed only once its lines are drawn, and says so if they cannot be loaded',
  { tag: '@slow' },
  async ({ page, shell, opened }) => {
    // This test breaks the requests with which the page loads the texts. Playwright sees only those of the browser shell.
    test.skip(shell === 'desktop', 'The desktop shell answers the requests for its files itself.')
    const coming = Promise.withResolvers<void>()
    let isBroken = true
    await page.route(/\/code-diff-[^/]*\.js$/u, async (route) => {
      await coming.promise
      await (isBroken ? route.abort() : route.continue())
    })
    await opened(SCRIPT, 'Rename them')
    await expect(hunks(page)).toHaveCount(5)
    await expect(tray(page)).toContainText('Reading the lines…')
    await expect(tray(page).getByRole('button', { name: /^Sign/u })).toBeVisible()
    // Long enough for a request to become armed, which takes half a second.
    await page.waitForTimeout(1_500)
    await expect(armed(page)).toHaveCount(0)
    coming.resolve()
    await expect(tray(page)).toContainText('The diff viewer could not be loaded')
    await expect(armed(page)).toHaveCount(0)
    isBroken = false
    await tray(page).getByRole('button', { name: 'Fetch it again' }).first().click()
    await expect(armed(page)).toBeVisible()
    await expect(tray(page).getByText('const second = 2').first()).toBeVisible()
  },
)
