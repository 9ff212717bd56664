import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const head = (page: Page) => page.getByRole('group', { name: 'Current hunk' })
const note = (page: Page) => page.getByRole('region', { name: /^Who wrote/u })

test.describe('who wrote a line', () => {
  test.use({ sandbox: 'off' })
  test(
    'is shown for a hunk, after a key press and from a line’s menu, with a link to the step',
    { tag: '@slow' },
    async ({ page, places, opened }, info) => {
      const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')
      await opened(
        [
          calls(call('write_file', { file_path: 'a.txt', content: lines(30) })),
          say('Written.'),
          calls(call('read_file', { file_path: 'a.txt' })),
          calls(call('edit_file', { file_path: 'a.txt', old_string: 'line 3\n', new_string: 'line three\n' })),
          say('Changed.'),
        ],
        'Write thirty lines',
      )
      await sign(page, 'a.txt')
      await expect(ledger(page)).toContainText('Written.')
      const file = join(places.project, 'a.txt')
      await writeFile(file, (await readFile(file, 'utf8')).replace('line 20\n', 'line by hand\n'))
      await send(page, 'Spell the third')

      // In the request, an unchanged or removed line has a writer, and an added line has none yet.
      const asksAbout = async (line: string) => {
        await tray(page).getByText(line).first().click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
      }
      await asksAbout('line three')
      await expect(note(page)).toContainText('This request adds the line. Nobody has written it yet.')
      await keepPictures(page, info, 'request')
      await asksAbout('line 2')
      await expect(note(page)).toHaveAccessibleName('Who wrote line 2')
      await expect(note(page)).toContainText('Step 1')
      expect(await axeFindings(page)).toEqual([])
      await sign(page, 'a.txt')
      await expect(ledger(page)).toContainText('Changed.')

      // In the Changes tab, the context menu of a line opens the review with the note about who wrote that line.
      const tab = page.getByRole('region', { name: 'a.txt', exact: true })
      await tab.getByText('line three').first().click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
      await expect(note(page)).toHaveAccessibleName('Who wrote line 3')
      await expect(note(page)).toContainText('Step 3')
      await page.keyboard.press('Escape')

      await page.keyboard.press('Control+Shift+d')
      await expect(head(page)).toContainText('Written by step 1 and 2 more')
      await keepPictures(page, info, 'hunk')
      await page.keyboard.press('b')
      for (const words of ['Step 1', 'Step 3', 'Outside of Countersign', 'edit_file', 'Request: Spell the third'])
        await expect(note(page)).toContainText(words)
      await keepPictures(page, info, 'key')
      expect(await axeFindings(page)).toEqual([])

      await page.getByText('line three').first().click({ button: 'right' })
      await keepPictures(page, info, 'menu')
      await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
      await expect(note(page)).toHaveAccessibleName('Who wrote line 3')
      await expect(note(page)).toContainText('Step 3')
      await expect(note(page)).not.toContainText('Step 1')
      await page.getByText('line by hand').first().click({ button: 'right' })
      await page.keyboard.press('Enter')
      await expect(note(page)).toContainText('Outside of Countersign')
      await page.getByText('line three').first().click({ button: 'right' })
      await page.keyboard.press('Enter')
      await keepPictures(page, info, 'line')
      await note(page).getByRole('button', { name: 'Show the step' }).click()
      await expect(ledger(page).getByText('Spell the third')).toBeInViewport()
    },
  )
})
