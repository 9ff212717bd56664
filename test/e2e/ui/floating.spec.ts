import { call, calls, message, say, text } from '../../support/scripted-model.ts'
import { REQUESTED_FILES, REQUESTS, visitPages, visitPanes, visitRequests } from '../support/desk-states.ts'
import { expect, test } from '../support/desk-test.ts'
import { deskStands, keepsTyped, openAll, openDialogsAndDrawers, opensAll, withoutErrors } from '../support/floating-parts.ts'
import { armed, composer } from '../support/on-the-desk.ts'

test.use({ actionTimeout: 20_000 })

test(
  'each menu and list of the desk opens by mouse and by keyboard, and the desk and all drafts survive every way of leaving it',
  { tag: '@slow' },
  async ({ page, put, opened }) => {
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
    await withoutErrors(page, async () => {
      expect(await openAll(page)).toBeGreaterThan(6)
    })
    await expect(composer(page)).toHaveValue('a draft')
    await expect(note).toHaveValue('a note')
    await page.getByRole('button', { name: 'Group the sessions' }).click()
    await page.reload()
    await expect(composer(page)).toHaveValue('a draft')
    await expect(note).toHaveValue('a note')
    await deskStands(page, 'a reload with an open menu')
  },
)

test(
  'whatever is typed into a request, a plan or the message survives a reload in each of their states',
  { tag: '@slow' },
  async ({ page, put, opened }) => {
    test.setTimeout(200_000)
    for (const [path, content] of Object.entries(REQUESTED_FILES)) await put(path, content)
    await opened(REQUESTS)
    await withoutErrors(page, () => visitRequests(page, keepsTyped(page)))
  },
)

test(
  'each dialog and drawer opens by mouse and by keyboard, and the desk and all drafts survive every way of leaving it',
  { tag: '@slow' },
  async ({ page, put, opened }) => {
    await put('a.txt', 'one\n')
    await opened([calls(call('write_file', { file_path: 'b.txt', content: 'two\n' })), say('Done.')], 'Write b')
    await armed(page).waitFor()
    await composer(page).fill('a draft')
    await withoutErrors(page, () => openDialogsAndDrawers(page))
    await expect(composer(page)).toHaveValue('a draft')
  },
)

test(
  'in each state of a request every menu and list opens, and leaves the desk in place',
  { tag: '@slow' },
  async ({ page, put, opened }) => {
    test.setTimeout(400_000)
    for (const [path, content] of Object.entries(REQUESTED_FILES)) await put(path, content)
    await opened(REQUESTS)
    await withoutErrors(page, () => visitRequests(page, opensAll(page)))
  },
)

test(
  'in each pane, page and dialog every menu and list opens, and leaves the desk in place',
  { tag: '@slow' },
  async ({ page, put, opened }) => {
    test.setTimeout(400_000)
    for (const [path, content] of Object.entries(REQUESTED_FILES)) await put(path, content)
    await opened(REQUESTS)
    await visitRequests(page, async () => {})
    await withoutErrors(page, async () => {
      await visitPanes(page, opensAll(page))
      await visitPages(page, opensAll(page))
    })
  },
)
