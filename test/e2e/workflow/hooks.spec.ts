import { call, message, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, hasCopies, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const SETTINGS = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: 'Edit|Write',
        hooks: [
          { type: 'command', if: 'Edit(*.txt)', command: 'grep -q secret && { echo "The file holds a secret." >&2; exit 2; }; exit 0' },
        ],
      },
    ],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo The branch is main.' }] }],
    SessionEnd: [{ hooks: [{ type: 'http', url: 'https://hooks.example/log' }] }],
    TeammateIdle: [{ hooks: [{ type: 'command', command: 'true' }] }],
  },
})

test('a hook of the project blocks an edit, adds to a message, and is listed and tried in the settings', async ({
  page,
  put,
  opened,
}, info) => {
  await put('.claude/settings.json', SETTINGS)
  const write = (path: string, content: string) => message([call('write_file', { file_path: path, content })])
  const { scripted } = await opened([write('a.txt', 'my secret'), say('Blocked, then.')], 'Write it')
  await expect(ledger(page).getByText('Blocked, then.')).toBeVisible()
  await expect(ledger(page)).toContainText('blocked this: The file holds a secret.')
  expect(JSON.stringify((await scripted.request(0)).body)).toContain('The branch is main.')
  expect(JSON.stringify((await scripted.request(1)).body)).toContain('A hook blocked this call: The file holds a secret.')
  await keepPictures(page, info, 'hook-blocked')
  await page.keyboard.press('Control+,')
  const hooks = page.getByRole('region', { name: 'Hooks' })
  await hooks.scrollIntoViewIfNeeded()
  await expect(hooks.getByRole('row', { name: /PreToolUse Edit\|Write/u })).toContainText('blocked')
  await expect(hooks).toContainText('There is no hook event TeammateIdle here.')
  await expect(hooks.getByRole('row', { name: /PreToolUse/u })).toContainText('if Edit(*.txt)')
  await expect(hooks.getByRole('combobox', { name: 'Try it on: echo The branch is main.' })).toContainText('Try it on: Write it')
  await hooks.getByRole('button', { name: 'Try it: echo The branch is main.' }).click()
  await expect(hooks.getByRole('row', { name: /UserPromptSubmit/u })).toContainText('passed')
  if (hasCopies) {
    const row = hooks.getByRole('row', { name: /UserPromptSubmit/u })
    await expect(row).toContainText('Confined to the folder')
    await row.getByRole('button', { name: 'Give full rights: echo The branch is main.' }).click()
    await expect(row).toContainText('Runs with all your rights')
    await row.getByRole('button', { name: 'Confine: echo The branch is main.' }).click()
    await expect(row).toContainText('Confined to the folder')
  } else await expect(hooks).toContainText('There is no sandbox here, so hooks run with all your rights.')
  const sent = hooks.getByRole('row', { name: /SessionEnd/u })
  await expect(sent).toContainText('Sends nothing until you allow it')
  await sent.getByRole('button', { name: 'Allow sending: https://hooks.example/log' }).click()
  await expect(sent).toContainText('Sends events to this address')
  await sent.getByRole('button', { name: 'Stop sending: https://hooks.example/log' }).click()
  await expect(sent).toContainText('Sends nothing')
  await hooks.getByText('TeammateIdle').scrollIntoViewIfNeeded()
  await keepPictures(page, info, 'settings-hooks')
  expect(await axeFindings(page)).toEqual([])
})

test(
  'a script that changed since its hook was allowed does not run until it is allowed again',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    // A hook is allowed to run with full rights only where the others are confined, so there is nothing to allow on this machine.
    test.skip(!hasCopies, 'Without a sandbox no hook has other rights than any other.')
    const command = 'sh scripts/check.sh'
    await put('scripts/check.sh', 'echo checked')
    await put('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }))
    await opened([say('Hello.')], 'Hello')
    await page.keyboard.press('Control+,')
    const row = page.getByRole('region', { name: 'Hooks' }).getByRole('row', { name: /PreToolUse/u })
    await row.scrollIntoViewIfNeeded()
    await row.getByRole('button', { name: `Give full rights: ${command}` }).click()
    await expect(row).toContainText('Runs with all your rights')
    await put('scripts/check.sh', 'echo other')
    await row.getByRole('button', { name: `Try it: ${command}` }).click()
    await expect(row).toContainText('scripts/check.sh changed since you trusted it. It will not run until you review it.')
    await expect(row).toContainText('failed')
    const change = row.getByRole('region', { name: 'What changed in scripts/check.sh' })
    await expect(change).toContainText('echo checked')
    await expect(change).toContainText('echo other')
    await keepPictures(page, info, 'settings-hooks-changed-script')
    await put('scripts/check.sh', 'echo later')
    await row.getByRole('button', { name: `Allow again: ${command}` }).click()
    await expect(page.getByText('The hook was not allowed: scripts/check.sh changed after this page showed it.')).toBeVisible()
    await expect(change).toContainText('echo later')
    await keepPictures(page, info, 'settings-hooks-changed-after-shown')
    await row.getByRole('button', { name: `Allow again: ${command}` }).click()
    await expect(row.getByRole('button', { name: `Allow again: ${command}` })).toBeHidden()
    await row.getByRole('button', { name: `Try it: ${command}` }).click()
    await expect(row).toContainText('passed')
  },
)
