import { message, call, say } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { keepPictures } from '../support/pictures.ts'

test(
  'before the first change, the Changes tab and the review say that nothing has changed yet',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    await put('notes.md', '# Notes\n')
    await opened([message([call('read_file', { file_path: 'notes.md' })]), say('Read.')], 'Read the notes')
    await expect(page.getByText('Read.', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+1')
    await expect(page.getByRole('tabpanel')).toContainText(
      'Nothing has changed yet. Files that a step changes appear here, with their content before and after.',
    )
    await keepPictures(page, info, 'nothing-changed')
    await page.keyboard.press('Control+Shift+d')
    await expect(page.getByText('Nothing has changed yet. Files that a step writes appear here.')).toBeVisible()
    await keepPictures(page, info, 'nothing-changed-review')
  },
)
