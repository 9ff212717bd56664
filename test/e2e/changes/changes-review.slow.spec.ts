import type { Page } from 'playwright/test'
import { call, calls, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { composer, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`)
const LONG = `${LINES.join('\n')}\n`

/** A model that changes two files in three steps. */
const script = [
  message([call('read_file', { file_path: 'src/long.txt' }), call('read_file', { file_path: 'notes.md' })]),
  calls(call('edit_file', { file_path: 'src/long.txt', old_string: 'line 5\n', new_string: 'line five\n' })),
  calls(call('edit_file', { file_path: 'src/long.txt', old_string: 'line 50\n', new_string: 'line fifty\nand one more\n' })),
  calls(call('write_file', { file_path: 'notes.md', content: '# Notes\n\nnew words\n' })),
  say('Done.'),
  calls(call('read_file', { file_path: 'notes.md' })),
  calls(call('write_file', { file_path: 'notes.md', content: '# Notes\n\nnew words\nyour words\nlast words\n' })),
  say('Done again.'),
]

async function threeSteps(page: Page): Promise<void> {
  await send(page, 'Change them')
  await sign(page, 'line five')
  await sign(page, 'line fifty')
  await sign(page, 'new words')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
}

const head = (page: Page) => page.getByRole('main').locator('header')
const line = (page: Page, text: string) => page.locator('[data-line]', { hasText: new RegExp(`(^|: )${text}\\s*$`) })

test.beforeEach(async ({ put, opened }) => {
  await put('src/long.txt', LONG)
  await put('notes.md', '# Notes\n')
  await opened(script)
})

test('Changes lists each file with its line counts since the session began', async ({ page }) => {
  await threeSteps(page)
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('region', { name: 'notes.md' })).toContainText(/step 4.*\+2.*−0/)
  const long = inspector.getByRole('region', { name: 'src/long.txt' })
  await expect(long).toContainText(/steps 2, 3.*\+3.*−2/)
  await expect(long.locator('[data-line]', { hasText: 'line fifty' })).toBeVisible()
  await expect(long.locator('[data-line]', { hasText: 'line five' })).toBeVisible()
  await long.getByRole('button', { name: 'Hide the diff of src/long.txt' }).click()
  await expect(long.locator('[data-line]')).toHaveCount(0)
})

test('in the review, J and K move between all hunks, and Shift J and Shift K move between files', async ({ page }) => {
  await threeSteps(page)
  await page.keyboard.press('Control+Shift+d')
  await expect(head(page)).toContainText('src/long.txt')
  await expect(head(page)).toContainText('hunk 1 of 2')
  await page.keyboard.press('j')
  await expect(head(page)).toContainText('hunk 2 of 2')
  await expect(line(page, 'line fifty')).toBeInViewport()
  await page.keyboard.press('j')
  await expect(head(page)).toContainText('notes.md')
  await page.keyboard.press('k')
  await expect(head(page)).toContainText('hunk 2 of 2')
  await page.keyboard.press('Shift+J')
  await expect(head(page)).toContainText('notes.md')
  await page.keyboard.press('Shift+K')
  await expect(head(page)).toContainText('src/long.txt')
  await page.keyboard.press('Escape')
  await expect(composer(page)).toBeVisible()
})

test('the review can be limited to a single step, and can show the whole session again', async ({ page }) => {
  await threeSteps(page)
  await page.keyboard.press('Control+Shift+d')
  await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: /^3/ }).click()
  await expect(head(page)).toContainText('hunk 1 of 1')
  await expect(line(page, 'line fifty')).toBeVisible()
  await expect(line(page, 'line five')).toHaveCount(0)
  await page.getByRole('radio', { name: 'Session' }).click()
  await expect(head(page)).toContainText('hunk 1 of 2')
})

test('a file that has changed on disk since the last step is marked, and can be compared with its current version', async ({
  page,
  put,
}, info) => {
  await threeSteps(page)
  await page.keyboard.press('Control+Shift+d')
  const files = page.getByRole('region', { name: 'Changed files' })
  await expect(head(page)).toContainText('src/long.txt')
  await put('src/long.txt', LONG.replace('line 30\n', 'line thirty\n'))
  await expect(files).toContainText('Changed on disk since')
  await page.getByRole('button', { name: 'Compare with disk' }).click()
  await expect(line(page, 'line thirty')).toBeVisible()
  await line(page, 'line thirty').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
  await expect(page.getByRole('region', { name: /^Who wrote/u })).toContainText('Outside of Countersign')
  await put('src/long.txt', LONG.replace('line 30\n', 'line thirty\n').replace('line 29\n', 'line 29\nline 29 and a half\n'))
  await expect(line(page, 'line 29 and a half')).toBeVisible()
  await line(page, 'line thirty').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
  await expect(page.getByRole('region', { name: 'Who wrote line 31' })).toContainText('Outside of Countersign')
  await put('src/long.txt', LONG.replace('line 30\n', 'line thirty\n'))
  await expect(line(page, 'line 29 and a half')).toHaveCount(0)
  await keepPictures(page, info, 'changed-since')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Compare with disk' }).click()
  await expect(line(page, 'line five')).toBeVisible()
  await page.getByRole('radio', { name: 'Folder' }).check()
  await expect(line(page, 'line thirty')).toBeVisible()
  await expect(line(page, 'line five')).toHaveCount(0)
  const whole = page.getByRole('group', { name: 'Whole file src/long.txt' })
  await page.keyboard.press('w')
  await expect(whole.locator('[data-line="30"]')).toContainText('line thirty')
  await expect(whole.locator('[data-column-number="30"]')).toHaveAttribute('data-by', 'outside')
  await page.keyboard.press('w')
  await expect(head(page)).toContainText('hunk 1 of 1')
  await put('src/long.txt', LONG)
  await expect(files.getByText('long.txt')).toHaveCount(0)
})

test('the review can be limited to a single turn, or to changes made outside the session between two steps', async ({
  page,
  put,
}, info) => {
  await threeSteps(page)
  await put('notes.md', '# Notes\n\nnew words\nyour words\n')
  await send(page, 'Add the last words')
  await sign(page, 'last words')
  await expect(page.getByText('Done again.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  const files = page.getByRole('region', { name: 'Changed files' })
  await page.getByRole('radio', { name: 'Turn' }).check()
  await expect(head(page)).toContainText('notes.md')
  await expect(line(page, 'last words')).toBeVisible()
  await expect(files.getByText('long.txt')).toHaveCount(0)
  await page
    .getByRole('list', { name: 'Steps' })
    .getByRole('button', { name: /Outside this session/ })
    .click()
  await expect(line(page, 'your words')).toBeVisible()
  await expect(line(page, 'last words')).toHaveCount(0)
  await keepPictures(page, info, 'changes-outside')
  await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: /^3/ }).click()
  await page.getByRole('radio', { name: 'Turn' }).check()
  await expect(files.getByText('long.txt')).toBeVisible()
  await expect(files.getByText('notes.md')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

test('diffs are side by side from 1080 px on and stacked in narrower windows, unless the user has chosen a layout', async ({ page }) => {
  await threeSteps(page)
  await page.keyboard.press('Control+Shift+d')
  await expect(page.locator('[data-diff-type=split]')).toBeVisible()
  await page.getByRole('button', { name: 'Stacked' }).click()
  await expect(page.locator('[data-unified]')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 900, height: 700 })
  await page.keyboard.press('Control+Shift+d')
  await expect(page.locator('[data-unified]')).toBeVisible()
})

test('the layout follows the window’s width until the user chooses a layout, and the bar stays next to its hunk', async ({ page }) => {
  await threeSteps(page)
  await page.keyboard.press('Control+Shift+d')
  await expect(head(page)).toContainText('hunk 1 of 2')
  await page.keyboard.press('j')
  await expect(line(page, 'line fifty')).toBeInViewport()
  const bar = page.locator('[data-current-hunk]')
  const isBeside = async (): Promise<boolean> => {
    const own = await bar.boundingBox()
    const first = await line(page, 'line 50').boundingBox()
    return own !== null && first !== null && Math.abs(own.y - first.y) < 1
  }
  await expect(page.locator('[data-diff-type=split]')).toBeVisible()
  await expect.poll(isBeside).toBe(true)
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.locator('[data-unified]')).toBeVisible()
  await expect.poll(isBeside).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.locator('[data-diff-type=split]')).toBeVisible()
  await expect.poll(isBeside).toBe(true)
  await page.getByRole('button', { name: 'Stacked' }).click()
  await page.setViewportSize({ width: 900, height: 700 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.locator('[data-unified]')).toBeVisible()
})

test('a new step appears in the open review, while it waits and after it was signed', async ({ page }) => {
  await send(page, 'Change them')
  await expect(tray(page)).toContainText('line five')
  await page.keyboard.press('Control+Shift+d')
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('button')).toHaveCount(1)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.getByRole('list', { name: 'Steps' }).getByRole('button')).toHaveCount(1)
  await other.keyboard.press('Escape')
  await sign(other, 'line five')
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('button')).toHaveCount(2)
})

for (const theme of ['light', 'dark'] as const)
  test(`axe finds nothing in the review or in the ledger beside it (${theme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme })
    await threeSteps(page)
    await expect(page.locator('[data-line]').first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Control+Shift+d')
    await expect(head(page)).toContainText('hunk 1 of 2')
    expect(await axeFindings(page)).toEqual([])
  })
