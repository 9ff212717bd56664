import { call, calls, message, say, text } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { deskStands, openAll, withoutErrors } from '../support/floating-parts.ts'
import { armed, composer } from '../support/on-the-desk.ts'

test.use({ actionTimeout: 20_000 })

test('each menu and list of the desk opens by mouse and by keyboard, and the desk and all drafts survive every way of leaving it', async ({
  page,
  put,
  opened,
}) => {
  await put('a.txt', 'one\n')
  await opened(
    [
      message([text('I read it.'), call('read_file', { file_path: 'a.txt' })]),
      calls(call('write_file', { file_path: 'b.txt', content: 'two\n' })),
      say('Done.'),
    ],
    'Write b',
  )
  await armed(page).waitFor()
  await composer(page).fill('a draft')
  await page.getByRole('button', { name: 'Refuse with a note' }).click()
  const note = page.getByRole('textbox', { name: 'What the agent should do instead' })
  await note.fill('a note')
  await withoutErrors(page, () => openAll(page))
  await expect(composer(page)).toHaveValue('a draft')
  await expect(note).toHaveValue('a note')
  await page.getByRole('button', { name: 'Group the sessions' }).click()
  await page.reload()
  await expect(composer(page)).toHaveValue('a draft')
  await expect(note).toHaveValue('a note')
  await deskStands(page, 'a reload with an open menu')
})
