import { homedir } from 'node:os'
import { call, calls, gate, message, say, text } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { armed, composer, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

test('if the user stops the model while it writes, the text is kept, and a neutral mark and a line of text show the stop', async ({
  page,
  opened,
}, info) => {
  const words = Array.from({ length: 400 }, (_, index) => `word ${index}`).join(' ')
  await opened([message([text(words)], { delivery: { stops: [{ at: 4_000, next: 'stall' }] } })], 'Write')
  await expect(ledger(page).getByText('word 3', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(ledger(page).getByText('The answer was cut off here.')).toBeVisible()
  await expect(ledger(page).getByText('Stopped by you.', { exact: false })).toBeVisible()
  await expect(ledger(page).locator('[data-mark=failed]')).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'stopped')
})

test('a stopped command is not shown as a failure in the ledger or the Terminal tab', async ({ page, places, opened }, info) => {
  await opened([calls(call('shell', { command: '/bin/echo working; sleep 60' }), call('shell', { command: '/bin/echo never' }))])
  const project = places.project.split('/').at(-1) ?? ''
  await expect(page.getByRole('main').getByText(project, { exact: true })).toBeVisible()
  await send(page, 'Run them')
  await armed(page).waitFor()
  await expect(tray(page).getByRole('heading', { level: 2 })).toHaveText('Run /bin/echo working; sleep 60')
  await expect(tray(page)).toContainText('1 of 2')
  await expect(page.getByRole('region', { name: 'Needs you' })).toContainText(` · ${project}`)
  await keepPictures(page, info, 'project')
  await sign(page)
  await page.getByRole('tab', { name: /^Terminal/ }).click()
  await expect(ledger(page).getByText('working', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(ledger(page).getByText('stopped by you', { exact: true })).toBeVisible()
  await expect(ledger(page).getByText('not run: stopped by you')).toBeVisible()
  await expect(page.locator('[data-mark=failed]')).toHaveCount(0)
  await keepPictures(page, info, 'stopped-command')
})

test('an armed button keeps looking armed, even when Ctrl J focuses it', async ({ page, opened }) => {
  await opened([calls(call('shell', { command: '/bin/echo one' })), say('Ran.')], 'Run it')
  await armed(page).waitFor()
  const seen = page.evaluate(async () => {
    const states = new Set<string>()
    const button = (): HTMLElement | null => document.querySelector('[data-tray=needs] [data-armed]')
    while (!document.activeElement?.closest('[data-tray]')) await new Promise(requestAnimationFrame)
    for (let frame = 0; frame < 40; frame++) {
      states.add(button()?.dataset['armed'] ?? 'gone')
      await new Promise(requestAnimationFrame)
    }
    return [...states]
  })
  await page.keyboard.press('Control+j')
  expect(await seen).toEqual(['true'])
})

test('text typed right after Ctrl N becomes the draft of the new session, and the old session keeps its own draft', async ({
  page,
  opened,
}) => {
  await opened([say('Done.')], 'The first')
  await expect(ledger(page).getByText('Done.')).toBeVisible()
  await composer(page).fill('half a thought')
  await page.keyboard.press('Control+n')
  await page.keyboard.type('and a new one')
  await expect(page.getByText('Nothing has happened yet.')).toBeVisible()
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('and a new one')
  await page.keyboard.type(', at once')
  await expect(composer(page)).toHaveValue('and a new one, at once')
  await page.getByRole('button', { name: /^The first/ }).click()
  await expect(composer(page)).toHaveValue('half a thought')
})

test('narrowing the window does not move the focus or cover anything, and an open drawer leaves Stop visible', async ({
  page,
  opened,
}, info) => {
  const answers = gate()
  await opened(async () => {
    await answers.opened
    return say('Done.')
  }, 'Go')
  await page.keyboard.press('Control+2')
  await composer(page).click()
  await page.keyboard.type('half a thought')
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.getByRole('button', { name: 'Inspector', exact: true })).toBeVisible()
  await expect(page.locator('[data-drawer=open]')).toHaveCount(0)
  await page.keyboard.type(' more')
  await expect(composer(page)).toHaveValue('half a thought more')
  await page.keyboard.press('Control+2')
  await expect(page.locator('[data-drawer=open]')).toBeVisible()
  await keepPictures(page, info, 'drawer')
  // The click would fail if something covered the button.
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(ledger(page).getByText('Stopped by you.', { exact: false })).toBeVisible()
  answers.open()
})

test('the sheet of keys lists a session’s keys even before there is a session', async ({ page, desk }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await page.getByRole('button', { name: 'Start rehearsal' }).waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  for (const words of ['Terminal', 'Type into the terminal, and back', 'Changes as a full review'])
    await expect(sheet.getByText(words, { exact: true })).toBeVisible()
  await keepPictures(page, info, 'keys')
})

test('the trust question warns when a folder is the whole home folder', async ({ page, desk }, info) => {
  const { address } = await desk({ folder: homedir() })
  await page.goto(address)
  await expect(page.getByRole('region', { name: 'Do you trust this folder?' }).first()).toContainText('This is your whole home folder.')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'home')
})

test('the bar of the current hunk stays beside its rows when a narrow window wraps the rows', async ({ page, put, opened }, info) => {
  const long = (name: string): string => `${name} ${'with words enough to be wrapped in a narrow window '.repeat(4)}`.trim()
  const lines = Array.from({ length: 60 }, (_, at) => long(`line ${at}`))
  await put('long.txt', `${lines.join('\n')}\n`)
  const changed = lines.with(3, long('first changed')).with(30, long('second changed')).with(50, long('third changed'))
  await opened(
    [
      calls(call('read_file', { file_path: 'long.txt' })),
      calls(call('write_file', { file_path: 'long.txt', content: `${changed.join('\n')}\n` })),
      say('Done.'),
    ],
    'Change it',
  )
  await sign(page)
  await expect(ledger(page).getByText('Done.')).toBeVisible()
  await page.keyboard.press('Control+Shift+d')
  await page.getByText('hunk 1 of 3', { exact: true }).waitFor()
  await page.keyboard.press('j')
  const gap = async (): Promise<number> => {
    const bar = await page.locator('[data-current-hunk]').boundingBox()
    const row = await page.locator('[data-line-type=change-deletion]').filter({ hasText: 'line 30 ' }).first().boundingBox()
    return bar && row ? Math.round(Math.abs(bar.y - row.y)) : Number.NaN
  }
  await expect.poll(gap).toBe(0)
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(page.locator('[data-unified]')).toBeVisible()
  await expect.poll(gap).toBe(0)
  await keepPictures(page, info, 'hunk-narrow')
  await page.setViewportSize({ width: 1000, height: 700 })
  await expect.poll(gap).toBe(0)
})
