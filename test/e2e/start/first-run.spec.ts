import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { keepPictures } from '../support/pictures.ts'

test('with a folder on the command line, a newcomer also sees how to add a key, and what the computer has', async ({
  page,
  places,
  desk,
}, info) => {
  const { address } = await desk({ folder: places.project })
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Trust and open' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Add a key' })).toBeVisible()
  const machine = page.locator('section', { has: page.getByRole('heading', { name: 'What this computer has' }) }).last()
  await expect(machine).toContainText('Commands run in bash.')
  await expect(machine.getByRole('term')).toContainText(['Copies', 'Shell'], { useInnerText: true })
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'with-folder')
  await page.getByRole('button', { name: 'Trust and open' }).click()
  await expect(page.getByText('There is no key for Anthropic yet').first()).toBeVisible()
})

test('a dialog that a double click opens stays open, and a press outside closes it', async ({ page, desk }) => {
  const { address } = await desk({})
  await page.goto(address)
  const dialog = page.getByRole('dialog', { name: 'Open a folder', exact: true })
  await page.getByRole('button', { name: 'Open a folder' }).last().dblclick()
  await expect(dialog).toBeVisible()
  await expect(dialog).toHaveAttribute('closedby', 'any')
  await page.mouse.click(2, 2)
  await expect(dialog).toHaveCount(0)
})
