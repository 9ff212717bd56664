import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { composer, ledger, sign } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

test.use({ sandbox: 'off' })

test(
  'a command’s block can show its diffs, copy its output, and type the command again without running it',
  { tag: '@slow' },
  async ({ page, context, opened }, info) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const command = 'echo first-line > made.txt && echo printed-words'
    const { scripted } = await opened([calls(call('shell', { command })), say('It is made.')], 'Make a file')
    await sign(page, /printed-words/)
    await expect(ledger(page)).toContainText('It is made.')
    await page.keyboard.press('Control+2')
    const block = page.getByRole('list', { name: 'Commands of this session' }).getByRole('listitem').first()
    await expect(block).toContainText('exit 0')

    const files = block.getByRole('button', { name: '1 file changed' })
    await files.click()
    await expect(files).toHaveAttribute('aria-expanded', 'true')
    await expect(block.getByRole('region', { name: 'made.txt' })).toContainText('first-line')
    await keepScreens(page, info, 'command-blocks')
    expect(await axeFindings(page)).toEqual([])

    await block.getByRole('button', { name: /^Copy output of/ }).click()
    await expect(block.getByRole('button', { name: /^Copied: output of/ })).toBeVisible()
    // The page may not read the clipboard, so the test pastes to see what the clipboard contains.
    await composer(page).press('Control+V')
    await expect(composer(page)).toHaveValue(/^printed-words\n/u)

    await composer(page).fill('Please run')
    await block.getByRole('button', { name: /^Type again/ }).click()
    await expect(composer(page)).toHaveValue(`Please run\n${command}`)
    await expect(composer(page)).toBeFocused()
    await expect(page.getByRole('list', { name: 'Commands of this session' }).getByRole('listitem')).toHaveCount(1)
    expect(scripted.requests).toHaveLength(2)
  },
)
