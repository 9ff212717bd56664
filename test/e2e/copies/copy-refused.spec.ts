import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, needsCopies, test } from '../support/desk-test.ts'
import { armed, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

const runs = (command: string) => [message([call('shell', { command })]), say('Done.')]

test(
  'a request for a command that cannot run in a copy gives the reason, and has a hold button if the command is destructive',
  { tag: '@slow' },
  async ({ page, opened, put, places }, info) => {
    await put('a.txt', 'a\n')
    await opened(runs('docker compose down --volumes && rm a.txt && npm run test:db'), 'Start over')
    await expect(tray(page)).toContainText('Run docker compose down --volumes && rm a.txt && npm… cannot run in a copy')
    await expect(tray(page)).toContainText('Not possible. docker needs the Docker socket, and containers run outside the sandbox.')
    await expect(tray(page)).toContainText(`${places.project}, for real`)
    await expect(armed(page)).toHaveText(/Hold to sign and run/u)
    await keepPictures(page, info, 'copy-refused')
    expect(existsSync(join(places.project, 'a.txt'))).toBe(true)
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(existsSync(join(places.project, 'a.txt'))).toBe(true)
  },
)

test('“Run for real instead” drops the changes of the copy and requests a signature for the command itself', async ({
  page,
  opened,
  put,
  places,
}, info) => {
  const file = await put('a.txt', 'a\n')
  await opened(runs('echo b >> a.txt'), 'Change it')
  await expect(armed(page)).toHaveText(/Sign changes/u)
  await keepPictures(page, info, 'copy-effects')
  await tray(page).getByRole('button', { name: 'Run for real instead' }).click()
  await expect(tray(page)).toContainText('Run echo b >> a.txt')
  await expect(tray(page)).toContainText(`${places.project}, for real`)
  await expect(armed(page)).toHaveText(/Sign and run/u)
  expect(await readFile(file, 'utf8')).toBe('a\n')
  await sign(page)
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe('a\nb\n')
})

test('the status names a running command and where it runs', { tag: '@slow' }, async ({ page, opened }, info) => {
  await opened(runs('echo began; sleep 30'), 'Run it')
  const status = page.getByRole('contentinfo')
  await expect(status).toContainText(/Running\s*echo began; sleep 30\s*in a copy/u)
  await keepPictures(page, info, 'copy-running')
})
