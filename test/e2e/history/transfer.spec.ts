import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, send, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import a session' })

async function openImport(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('import a session')
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('Another file on this computer').fill(path)
  await page.keyboard.press('Enter')
}

/** Writes a transcript of Claude Code that contains a line of an unknown kind. */
async function claudeTranscript(file: string): Promise<string> {
  const about = { cwd: '/home/you/project', sessionId: 'c', version: '2.0.0', isSidechain: false, userType: 'external' }
  const line = (type: string, uuid: string, parentUuid: string | null, message: object) => ({
    type,
    uuid,
    parentUuid,
    timestamp: `2026-11-20T10:00:0${uuid.slice(1)}.000Z`,
    ...about,
    message,
  })
  const lines = [
    line('user', 'u1', null, { role: 'user', content: 'Which month is it?' }),
    line('assistant', 'u2', 'u1', { id: 'm', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: 'February.' }] }),
    { type: 'from-the-future', data: 'a line of tomorrow' },
  ]
  await writeFile(file, lines.map((each) => JSON.stringify(each)).join('\n'))
  return file
}

test('a session is exported, imported after a preview and continued, and unknown lines of a foreign transcript are kept', async ({
  page,
  opened,
  places: { data },
}, info) => {
  const { scripted } = await opened([say('The answer is 42.'), say('As I said.')], 'What is the answer?', (model) => ({
    ...modelEnv(model),
    HOME: data,
  }))
  await expect(ledger(page)).toContainText('The answer is 42.')
  const row = page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').filter({ hasText: 'What is the answer?' }).first()
  await row.hover()
  await row.getByRole('button', { name: 'More for this session' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export as JSON' }).click()])
  const file = join(data, 'exported.jsonl')
  await download.saveAs(file)

  await openImport(page, join(data, 'missing.jsonl'))
  await expect(dialog(page)).toContainText('missing.jsonl')
  await expect(dialog(page).getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
  await dialog(page).getByLabel('Another file on this computer').fill(file)
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('What is the answer?')
  await expect(dialog(page)).toContainText('1 message, 1 answer, 0 calls')
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(ledger(page)).toContainText('The answer is 42.')
  await send(page, 'Are you sure?')
  await expect(ledger(page)).toContainText('As I said.')
  expect(JSON.stringify(scripted.requests.at(-1)?.body.messages)).toMatch(/What is the answer.*The answer is 42.*Are you sure/u)

  await mkdir(join(data, '.claude/projects/project'), { recursive: true })
  await claudeTranscript(join(data, '.claude/projects/project/claude.jsonl'))
  await openImport(page, '')
  const found = dialog(page).getByRole('list', { name: 'Sessions on this computer' })
  await found.getByRole('button', { name: /Which month is it.*Claude Code, project/u }).click()
  await dialog(page).getByRole('button', { name: 'Preview' }).click()
  await expect(dialog(page)).toContainText('1 line, kept and shown')
  await keepPictures(page, info, 'import-preview')
  expect(await axeFindings(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click()
  await expect(ledger(page)).toContainText('February.')
  await expect(ledger(page)).toContainText('A line of the imported file is not understood.')
  await expect(ledger(page)).toContainText('a line of tomorrow')
  await keepPictures(page, info, 'imported')
  expect(await axeFindings(page)).toEqual([])
})
