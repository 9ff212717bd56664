import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { type Script, call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

type Opened = (script: Script, request: string) => Promise<unknown>

/**
 * Two subagents change line 2 of src/a.ts, and B changes line 9 too. Signs the changes of both. B's changes then need a second signature,
 * because line 2 is in conflict. Resolves when that second request is shown.
 */
async function conflict(page: Page, opened: Opened): Promise<void> {
  const rounds = new Map<string, number>()
  await opened(({ body }) => {
    const who = /CHILD-\w+/u.exec(JSON.stringify(body.messages[0]?.content))?.[0] ?? 'PARENT'
    const round = rounds.get(who) ?? 0
    rounds.set(who, round + 1)
    const name = who === 'CHILD-A' ? 'A' : 'B'
    const edit = (from: string, to: string) => call('edit_file', { file_path: 'src/a.ts', old_string: from, new_string: to }, `e${to}`)
    if (who !== 'PARENT' && round > 0) return say(`Changed line 2 to ${name}.`)
    if (who === 'CHILD-A') return calls(edit('line 2\n', 'two of A\n'))
    if (who === 'CHILD-B') return calls(edit('line 2\n', 'two of B\n'), edit('line 9\n', 'nine of B\n'))
    if (round > 0) return say('Both are done.')
    return calls(
      call('task', { agent_type: 'code', prompt: 'CHILD-A Change it.', description: 'Rename for A' }, 'p1'),
      call('task', { agent_type: 'code', prompt: 'CHILD-B Change it.', description: 'Rename for B' }, 'p2'),
    )
  }, 'Change both')
  await sign(page, 'Rename for A')
  await expect(tray(page)).toContainText('both sides changed these lines')
}

const lines = (change: Readonly<Record<number, string>>): string =>
  Array.from({ length: 12 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join('')

for (const [choice, second] of [
  ['Keep the lines in the folder', 'two of A'],
  ['Take the subagent’s lines', 'two of B'],
  ['Write it yourself', 'two of both'],
] as const)
  test(
    `if two subagents change the same line, “${choice}” decides only that line`,
    { tag: '@slow' },
    async ({ page, put, opened }, info) => {
      const file = await put('src/a.ts', lines({}))
      await conflict(page, opened)
      const region = tray(page).getByRole('region', { name: 'Conflict 1 of 1 in src/a.ts' })
      for (const words of ['line 2', 'two of B', 'two of A']) await expect(region).toContainText(words)
      await expect(tray(page)).toContainText('Decide the conflict first.')
      await expect(region.getByRole('radio', { checked: true })).toHaveCount(0)
      await page.keyboard.press('Control+j')
      await page.keyboard.press('Control+Enter')
      await expect(tray(page)).toContainText('Decide the conflict first.')
      await expect(armed(page)).toHaveCount(0)
      await region.getByLabel(choice).click()
      await expect(region.getByLabel(choice)).toBeChecked()
      if (choice === 'Write it yourself') await region.getByLabel('Your lines').fill('two of both')
      await armed(page).waitFor()
      await keepPictures(page, info, 'conflict')
      await page.setViewportSize({ width: 700, height: 900 })
      await keepPictures(page, info, 'conflict-700')
      expect(await axeFindings(page)).toEqual([])
      await sign(page)
      await expect(ledger(page).getByText('Both are done.')).toBeVisible()
      expect(await readFile(file, 'utf8')).toBe(lines({ 2: second, 9: 'nine of B' }))
    },
  )
