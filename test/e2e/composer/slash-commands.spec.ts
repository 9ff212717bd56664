import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { ledger, sign } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'
import type { Page } from 'playwright/test'

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const list = (page: Page) => page.getByRole('listbox', { name: 'Completions' })

const FIX = '---\ndescription: Fix an issue of the tracker\nargument-hint: [number] [priority]\n---\nFix issue $0. The list:\n@issues.txt\n'
const SKILL = '---\nname: release\ndescription: How this project makes a release\n---\nRun the steps of $ARGUMENTS.\n'

test('a command of the project is chosen from the list, and its text reaches the agent with arguments and files', async ({
  page,
  put,
  opened,
}, info) => {
  await put('.claude/commands/fix.md', FIX)
  await put('.claude/skills/release/SKILL.md', SKILL)
  await put('issues.txt', '12 crash at start\n')
  const { scripted } = await opened([say('Fixed.')])
  await field(page).pressSequentially('/')
  await expect(list(page).getByRole('option')).toContainText(['/release', '/fix', '/init', '/review'])
  await keepScreens(page, info, 'composer-commands')
  expect(await axeFindings(page)).toEqual([])
  await field(page).pressSequentially('fi')
  await expect(list(page).getByRole('option').first()).toContainText('[number] [priority]  Fix an issue of the tracker')
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('/fix ')
  await expect(list(page)).toHaveCount(0)
  await field(page).pressSequentially('12 high')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByText('Fixed.')).toBeVisible()
  await expect(ledger(page).getByRole('heading', { name: '/fix 12 high' })).toBeVisible()
  expect(JSON.stringify((await scripted.request(0)).body)).toMatch(/Fix issue 12\. The list:.*12 crash at start/u)
  await ledger(page).getByRole('button', { name: 'Show the text of this command' }).click()
  await expect(ledger(page)).toContainText('12 crash at start')
})

test('the agent looks up a skill by the name that other agents use', { tag: '@slow' }, async ({ page, put, opened }) => {
  await put('.claude/skills/release/SKILL.md', SKILL)
  const { scripted } = await opened([calls(call('Skill', { skill: 'release', args: 'version 2' })), say('Released.')], 'Make a release')
  await expect(ledger(page).getByText('Released.')).toBeVisible()
  const tools = (await scripted.request(0)).body['tools'] as readonly { readonly name: string; readonly description: string }[]
  expect(tools.find(({ name }) => name === 'slash_command')?.description).toContain('/release: How this project makes a release')
  expect(JSON.stringify((await scripted.request(1)).body)).toContain('Run the steps of version 2.')
  await expect(ledger(page)).toContainText('release')
})

test('the desk runs its own slash commands, and sends an unknown command unchanged', async ({ page, opened }, info) => {
  await opened([say('What?')])
  await field(page).pressSequentially('/plan')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Mode', exact: true })).toContainText(/plan/i)
  await expect(field(page)).toHaveValue('')
  await field(page).pressSequentially('/mode acc')
  await expect(list(page).getByRole('option')).toHaveText(['accept-edits'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Mode', exact: true })).toContainText(/accept edits/i)
  await field(page).pressSequentially('/effort')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('/effort ')
  await expect(page.getByText('/effort <effort>')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await keepScreens(page, info, 'composer-arguments')
  await field(page).fill('/effort endless')
  await page.keyboard.press('Enter')
  await expect(page.getByText('/effort has no option “endless”.')).toBeVisible()
  await expect(field(page)).toHaveValue('/effort endless')
  await field(page).fill('/cost')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Context' })).toHaveAttribute('aria-selected', 'true')
  await field(page).fill('')
  await field(page).pressSequentially('/nothing')
  await expect(page.getByText('There is no command /nothing. Your text is sent as a message.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByRole('heading', { name: '/nothing' })).toBeVisible()
})

test('each slash command of the desk does what its name says', { tag: '@slow' }, async ({ page, opened }) => {
  const write = calls(call('write_file', { file_path: 'a.txt', content: 'x\n' }))
  const held = gate()
  const waits = async () => {
    await held.opened
    return say('Waited.')
  }
  const script = [write, say('Written.'), say('Reviewed.'), say('Noted.')]
  const { scripted } = await opened(({ index }) => script[index] ?? waits(), 'Write a file')
  await sign(page, 'a.txt')
  await expect(ledger(page).getByText('Written.')).toBeVisible()
  const run = async (text: string): Promise<void> => {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
  }
  const select = (name: string) => page.getByRole('combobox', { name, exact: true })
  for (const [name, tab] of [
    ['agents', 'Agents'],
    ['changes', 'Changes'],
    ['terminal', 'Terminal'],
    ['context', 'Context'],
  ] as const) {
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'false')
    await run(`/${name}`)
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
  }
  for (const [command, changed, shown] of [
    ['effort high', 'Effort', 'high'],
    ['model claude-haiku-4-5', 'Model', 'haiku'],
    ['plan-first', 'Plan first', 'yes'],
    ['test-first', 'Plan first', 'yes, then tests'],
    ['course review', 'Plan first', 'yes, step by step'],
    ['no-plan', 'Plan first', 'no'],
  ] as const) {
    await expect(select(changed)).not.toContainText(shown)
    await run(`/${command}`)
    await expect(select(changed)).toContainText(shown)
  }
  for (const [name, shown] of [
    ['help', page.getByRole('dialog', { name: 'Keys' })],
    ['commands', page.getByRole('dialog', { name: 'Commands' })],
    ['diff', page.getByRole('button', { name: 'Close review' }).first()],
    ['undo', page.getByRole('button', { name: 'Undo step 1', exact: true })],
    ['rollback', page.getByRole('button', { name: 'Go back to before step 1', exact: true })],
    ['settings', page.getByRole('heading', { name: 'Settings', level: 1 })],
  ] as const) {
    await run(`/${name}`)
    await expect(shown).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(shown).toHaveCount(0)
  }
  const [saved] = await Promise.all([page.waitForEvent('download'), run('/export json')])
  expect(saved.suggestedFilename()).toMatch(/\.jsonl$/u)
  await run('/review the tests')
  await expect(ledger(page).getByText('Reviewed.')).toBeVisible()
  expect(JSON.stringify((await scripted.request(2)).body)).toMatch(/Review the uncommitted changes of this project.*the tests/u)
  await run('/memory Tests run with npm test.')
  await expect(ledger(page).getByText('Noted.')).toBeVisible()
  expect(JSON.stringify((await scripted.request(3)).body)).toMatch(/save it with save_memory.*Note: Tests run with npm test\./u)
  await run('Wait')
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await expect(stop).toBeVisible()
  await run('/stop')
  await expect(stop).toHaveCount(0)
  held.open()
  await run('/fork')
  const fork = page.getByRole('button', { name: 'Fork of Write a file', exact: true })
  await expect(fork).toBeVisible()
  await run('/resume Write a file')
  await expect(fork).toHaveCount(0)
  await run('/rename Written once')
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('Written once')
  await run('/search npm')
  await expect(page.getByRole('combobox', { name: /Search/u })).toHaveValue('npm')
  await page.keyboard.press('Escape')
  await run('/new')
  await expect(ledger(page).getByText('Nothing has happened yet.')).toBeVisible()
})

test(
  '/compact accepts instructions for the summary, and used commands come first after a reload',
  { tag: '@slow' },
  async ({ page, opened }) => {
    const { scripted } = await opened([say('One.'), say('Two.'), say('A summary.')], 'Go')
    await expect(ledger(page).getByText('One.')).toBeVisible()
    await field(page).fill('Again')
    await page.keyboard.press('Enter')
    await expect(ledger(page).getByText('Two.')).toBeVisible()
    await field(page).pressSequentially('/compact the names')
    await page.keyboard.press('Enter')
    await expect(ledger(page)).toContainText('Compacted for the model')
    expect(JSON.stringify((await scripted.request(2)).body)).toContain('Instructions of the user for this summary:\\nthe names')
    await page.reload()
    await field(page).pressSequentially('/co')
    await expect(list(page).getByRole('option').first()).toContainText('/compact')
  },
)

test('after @ a path is completed folder by folder, without ignored files', { tag: '@slow' }, async ({ page, put, opened }, info) => {
  await put('src/dates/parse.ts', 'export {}\n')
  await put('src/dates/format.ts', 'export {}\n')
  await put('README.md', '# Read\n')
  await opened([say('Read.')])
  await field(page).pressSequentially('Look at @pars')
  await expect(list(page).getByRole('option')).toHaveText(['src/dates/parse.ts'])
  await page.keyboard.press('Escape')
  await expect(list(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('Look at @pars')
  await field(page).fill('Look at @date')
  await expect(list(page).getByRole('option').first()).toHaveText('src/dates/')
  await keepScreens(page, info, 'composer-paths')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Look at @src/dates/')
  await field(page).pressSequentially('fo')
  await expect(list(page).getByRole('option')).toHaveText(['src/dates/format.ts'])
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Look at @src/dates/format.ts ')
  await page.keyboard.press('Enter')
  await expect(ledger(page).getByRole('heading', { name: 'Look at @src/dates/format.ts' })).toBeVisible()
})

const AGENT =
  '---\nname: Reviewer\ndescription: Reviews changes\ntools: Read, Grep\ndisallowedTools: mcp__github\nmodel: sonnet\nmaxTurns: 4\n---\nReview closely.\n'

test(
  'the settings list commands and subagents with their sources, and say what is not used and why',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    await put('.claude/commands/fix.md', FIX)
    await put('.claude/commands/empty.md', '---\ndescription: Empty\n---\n')
    await put('.claude/commands/narrow.md', '---\nallowed-tools: Read\nmodel: opus\n---\nLook.')
    await put('.claude/agents/review/reviewer.md', AGENT)
    await put('.claude/agents/broken.md', 'No front matter')
    await opened([say('Fixed.')])
    await page.keyboard.press('Control+,')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Commands and agents' }).click()
    const agents = page.getByRole('table', { name: 'Kinds of subagents' })
    await expect(agents.getByRole('row').filter({ hasText: 'reviewer' })).toContainText(
      /Reviews changes.*read_file, grep.*Except: mcp__github.*Model: sonnet/,
    )
    const commands = page.getByRole('table', { name: 'Slash commands and skills' })
    await expect(commands).toContainText('/fix')
    await expect(commands.getByRole('row').filter({ hasText: '/narrow' })).toContainText(
      /For its turn: model opus.*Fields without effect here: allowed-tools/u,
    )
    await expect(page.getByText('The file has no text below its front matter.')).toBeVisible()
    await expect(page.getByText(/has fields that have no effect here: maxTurns/)).toBeVisible()
    await expect(page.getByText(/broken\.md is not used as an agent: The file does not begin with front matter/)).toBeVisible()
    await keepScreens(page, info, 'settings-extensions')
    expect(await axeFindings(page)).toEqual([])
  },
)

test('choosing a slash command in the palette puts it before the draft', { tag: '@slow' }, async ({ page, put, opened }) => {
  await put('.claude/commands/fix.md', FIX)
  await opened([say('Fixed.')])
  await field(page).fill('12 high')
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Find a command or a session' }).fill('/fix')
  await expect(page.getByRole('option', { selected: true })).toContainText('/fix [number] [priority] Fix an issue of the tracker')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('/fix 12 high')
  await expect(field(page)).toBeFocused()
})

test(
  'a long pasted text becomes an attachment that can be removed, survives a reload and is sent completely',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    const { scripted } = await opened([say('Read.')])
    const long = Array.from({ length: 80 }, (_, at) => `Log line ${at}`).join('\n')
    const paste = (text: string) =>
      field(page).evaluate((target, given) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', given)
        target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    const pasted = page.getByRole('list', { name: 'Pasted texts in this message' })
    await field(page).fill('Why?')
    await paste(long)
    await paste(`${long} twice`)
    await expect(pasted.getByRole('listitem')).toHaveCount(2)
    await expect(pasted).toContainText('80 lines')
    await pasted.getByRole('button', { name: 'Show' }).first().click()
    await expect(pasted.getByRole('group', { name: 'Pasted text 1' })).toContainText('Log line 79')
    await keepScreens(page, info, 'composer-pasted')
    expect(await axeFindings(page)).toEqual([])
    await pasted.getByRole('button', { name: 'Remove pasted text 2' }).click()
    await expect(field(page)).toHaveValue('Why?')
    await page.reload()
    await expect(pasted.getByRole('listitem')).toHaveCount(1)
    // The button is enabled once the window is connected again.
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await field(page).press('Enter')
    await expect(pasted).toHaveCount(0)
    await expect(ledger(page).getByText('Read.')).toBeVisible()
    await expect(ledger(page).getByRole('heading', { level: 2 })).toHaveText('Why?')
    await expect(ledger(page)).toContainText('80 lines')
    await expect(ledger(page)).not.toContainText('pasted_text')
    await keepScreens(page, info, 'ledger-pasted')
    await ledger(page).getByRole('button', { name: 'Show pasted text 1' }).click()
    await expect(ledger(page).getByRole('group', { name: 'Text of pasted text 1' })).toContainText('Log line 79')
    expect(await axeFindings(page)).toEqual([])
    expect(JSON.stringify((await scripted.request(0)).body)).toContain(
      JSON.stringify(`Why?\n\n<pasted_text>\n${long}\n</pasted_text>`).slice(1, -1),
    )
  },
)
