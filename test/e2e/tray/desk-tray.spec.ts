import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, gate, message, say, text } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { armed, composer, ledger, openSession, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'
import { inNoTime } from '../support/standing-clock.ts'

test.use({ sandbox: 'off' })

const MARK = 'ran-once.txt'
const RUN = { command: `echo once >> ${MARK}` }
const DESTROY = { command: 'rm -rf build' }

test('a request that arrives while the user types takes neither the focus nor a keystroke', async ({ page, places, opened }) => {
  const answers = gate()
  await opened(async ({ index }) => {
    if (index > 0) return say('Ran.')
    await answers.opened
    return calls(call('shell', RUN))
  }, 'Run it')
  await page.keyboard.type('And while you are at it')
  answers.open()
  await armed(page).waitFor()
  await expect(composer(page)).toBeFocused()
  await expect(tray(page).getByText('Ctrl J to answer')).toBeVisible()
  await expect(tray(page).locator('kbd', { hasText: 'Ctrl Enter' })).toBeHidden()
  for (const key of ['Control+Enter', 'Control+Delete', 'Space', 'y', 'Tab', 'Shift+Tab']) await page.keyboard.press(key)
  await expect(tray(page)).toContainText(MARK)
  await expect(readFile(join(places.project, MARK), 'utf8')).rejects.toThrow('ENOENT')
  await expect(tray(page).getByRole('status')).toHaveText('Ctrl J first, then Ctrl Enter.')
  await expect(composer(page)).toHaveValue('And while you are at it y')
  await page.keyboard.press('Control+j')
  await expect(tray(page).getByRole('status')).toHaveCount(0)
})

test('nothing moves while a request waits, so no frames are drawn', { tag: '@slow' }, async ({ page, opened }) => {
  await opened([calls(call('shell', RUN)), say('Ran.')], 'Run it')
  await armed(page).waitFor()
  const moving = (): Promise<number> =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
  await expect.poll(moving).toBe(0)
})

test('Ctrl J goes to the request, Ctrl Enter signs it, and the caret returns to its place', async ({ page, places, opened }, info) => {
  await opened([calls(call('shell', RUN)), say('Ran.')], 'Run it')
  await armed(page).waitFor()
  await composer(page).fill('half a thought')
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 6))
  await page.keyboard.press('Control+j')
  await expect(tray(page).getByRole('button', { name: 'Refuse', exact: true })).toBeFocused()
  await expect(tray(page).locator('kbd', { hasText: 'Ctrl Enter' })).toBeVisible()
  await expect(tray(page)).toContainText(`Runs in${places.project}`)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'command')
  await page.keyboard.press('Control+Enter')
  await expect(composer(page)).toBeFocused()
  expect(await composer(page).evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd])).toEqual([5, 6])
  await expect(page.getByRole('paragraph').getByText('Ran.')).toBeVisible()
  expect(await readFile(join(places.project, MARK), 'utf8')).toBe('once\n')
  await expect(ledger(page).getByRole('img', { name: /^Signed \d\d:\d\d:\d\d$/ })).toBeVisible()
})

test('a request cannot be signed while the palette covers it', { tag: '@slow' }, async ({ page, opened }) => {
  await opened([calls(call('shell', RUN)), say('Ran.')])
  await composer(page).fill('Run it')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await tray(page).waitFor()
  await expect(tray(page).locator('[data-armed]')).toHaveAttribute('data-armed', 'false')
  await page.keyboard.press('Escape')
  await armed(page).waitFor()
})

test('the button of a destructive request must be held for the whole time, and letting go early signs nothing', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await put('build/out.js', 'built\n')
  await page.clock.install()
  await opened([calls(call('shell', DESTROY)), say('Clean.')], 'Clean up')
  await armed(page).waitFor()
  const hold = tray(page).getByRole('button', { name: /^Hold to sign and run/ })
  await expect(tray(page).getByRole('button', { name: /^Sign/ })).toHaveCount(0)
  await inNoTime(page, async () => {
    await hold.click()
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Enter')
    await expect(tray(page)).toContainText('rm -rf build')
  })
  await keepPictures(page, info, 'destructive')
  expect(await readFile(join(places.project, 'build/out.js'), 'utf8')).toBe('built\n')
  await page.keyboard.down('Control')
  await page.keyboard.down('Enter')
  await expect(page.getByRole('paragraph').getByText('Clean.')).toBeVisible()
  await page.keyboard.up('Enter')
  await page.keyboard.up('Control')
  await expect(readFile(join(places.project, 'build/out.js'), 'utf8')).rejects.toThrow('ENOENT')
})

test(
  'the whole command is shown line by line, and every invisible character is shown by name',
  { tag: '@slow' },
  async ({ page, opened }) => {
    const command = `make one \u202E# two\nmake ${'x'.repeat(300)}\u200Bend`
    await opened([calls(call('shell', { command })), say('No.')], 'Print')
    const parts = tray(page).getByRole('list', { name: 'The whole command' }).getByRole('listitem')
    await expect(parts).toHaveCount(2)
    expect(await parts.locator('code').allInnerTexts()).toEqual(['make one U+202E# two', `make ${'x'.repeat(300)}U+200Bend`])
    const box = await parts.nth(1).locator('code').boundingBox()
    const pane = await tray(page).boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((pane?.x ?? 0) + (pane?.width ?? 0))
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Delete')
    await expect(page.getByRole('paragraph').getByText('No.')).toBeVisible()
    await expect(ledger(page).getByText('refused', { exact: true })).toBeVisible()
  },
)

test(
  'the requests of a round are in one tray, and can be browsed and answered one by one',
  { tag: '@slow' },
  async ({ page, places, put, opened }, info) => {
    await put('a.txt', 'a\n')
    const round = message([
      text('Three steps.'),
      call('write_file', { file_path: 'b.txt', content: 'b\n' }),
      call('shell', RUN),
      call('write_file', { file_path: 'c.txt', content: 'c\n' }),
    ])
    await opened([round, say('Done with all.')], 'Three steps')
    await expect(tray(page)).toContainText('1 of 3')
    await expect(tray(page).getByRole('heading', { level: 2 })).toContainText('Create b.txt')
    await keepPictures(page, info, 'queue')
    await tray(page).getByRole('button', { name: 'Next request' }).click()
    await expect(tray(page).getByRole('heading', { level: 2 })).toContainText(`Run ${RUN.command}`)
    await expect(tray(page)).toContainText('2 of 3')
    await tray(page).getByRole('button', { name: 'Previous request' }).click()
    for (const [at, title] of ['Create b.txt', `Run ${RUN.command}`, 'Create c.txt'].entries()) {
      await expect(tray(page).getByRole('heading', { level: 2 })).toContainText(title)
      await expect(tray(page)).toContainText(`${at + 1} of 3`)
      await sign(page)
    }
    await expect(page.getByRole('paragraph').getByText('Done with all.')).toBeVisible()
    expect(await readFile(join(places.project, 'c.txt'), 'utf8')).toBe('c\n')
  },
)

test('an answer that arrives second is reported as ignored', { tag: '@slow' }, async ({ page, context, places, opened }) => {
  const { address } = await opened([calls(call('shell', RUN)), say('Ran.')], 'Run it')
  const other = await context.newPage()
  const news = await heldNews(other)
  await other.goto(new URL('/', address).href)
  await armed(other).waitFor()
  await page.bringToFront()
  await armed(page).waitFor()
  news.hold()
  await tray(page).getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(page.getByRole('paragraph').getByText('Ran.')).toBeVisible()
  await other.bringToFront()
  await tray(other).getByRole('button', { name: /^Sign/ }).click()
  await expect(other.getByRole('alert').getByText('Your answer did not count.')).toBeVisible()
  news.release()
  await expect(other.getByRole('paragraph').getByText('Ran.')).toBeVisible()
  await expect(tray(other)).toHaveCount(0)
  await expect(other.getByRole('alert').getByText('Your answer did not count.')).toBeVisible()
  await expect(readFile(join(places.project, MARK), 'utf8')).rejects.toThrow('ENOENT')
})

test(
  'keys pressed while another session opens do not sign a request of that session',
  { tag: '@slow' },
  async ({ page, places, opened }) => {
    await page.clock.install()
    await opened(
      ({ index }) => (index < 2 ? calls(call('shell', { command: `echo ${index} >> ran-${index}.txt` })) : say('Ran.')),
      'The first',
    )
    await armed(page).waitFor()
    await page.keyboard.press('Control+n')
    await expect(page.getByText('Nothing has happened yet.')).toBeVisible()
    await send(page, 'The second')
    await armed(page).waitFor()
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Enter')
    await expect(ledger(page).getByRole('img', { name: /^Signed \d\d:\d\d:\d\d$/ })).toBeVisible()
    await expect(page.getByRole('paragraph').getByText('Ran.')).toBeVisible()
    await inNoTime(page, async () => {
      await page.keyboard.down('Control')
      // Ctrl+J goes to the other session, whose request Enter signs. Enter is pressed twice right after Ctrl+J, too early to sign, and is
      // held down the second time.
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.keyboard.down('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'The first' })).toBeVisible()
      await expect(tray(page).locator('[data-armed=false]')).toBeVisible()
    })
    await armed(page).waitFor()
    // A key repeat does not count as a new key press.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(tray(page)).toContainText('ran-0.txt')
    await expect(readFile(join(places.project, 'ran-0.txt'), 'utf8')).rejects.toThrow('ENOENT')
    await page.keyboard.press('Enter')
    await page.keyboard.up('Control')
    // Answering returns to the session where Ctrl+J was pressed.
    await expect(page.getByRole('heading', { level: 1, name: 'The second' })).toBeVisible()
    await openSession(page, /The first/)
    await expect(page.getByRole('heading', { level: 1, name: 'The first' })).toBeVisible()
    await expect(page.getByRole('paragraph').getByText('Ran.')).toBeVisible()
    expect(await readFile(join(places.project, 'ran-0.txt'), 'utf8')).toBe('0\n')
  },
)

test(
  'in a narrow window a request closes the inspector’s drawer, which would cover Sign and Stop',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    const answers = gate()
    await page.setViewportSize({ width: 900, height: 700 })
    await opened(async ({ index }) => {
      if (index > 0) return say('Ran.')
      await answers.opened
      return calls(call('shell', RUN))
    }, 'Run it')
    await page.keyboard.press('Control+2')
    const drawer = page.locator('[data-drawer=open]')
    await expect(drawer).toBeVisible()
    answers.open()
    await armed(page).waitFor()
    await expect(drawer).toHaveCount(0)
    for (const name of [/^Sign/, 'Stop']) await expect(page.getByRole('button', { name }).first()).toBeVisible()
    await keepPictures(page, info, 'narrow')

    await page.keyboard.press('Control+1')
    await expect(drawer).toBeVisible()
    await expect(armed(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await armed(page).waitFor()

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Control+1')
    await armed(page).waitFor()
    await page.setViewportSize({ width: 900, height: 700 })
    await expect(drawer).toHaveCount(0)
    await sign(page)
    await expect(page.getByRole('paragraph').getByText('Ran.')).toBeVisible()
  },
)

test('Ctrl+` moves the caret into the running command’s terminal, and back', { tag: '@slow' }, async ({ page, opened }) => {
  await opened([calls(call('shell', { command: 'read word; echo "got $word"', timeout_ms: 60_000 })), say('It ended.')], 'Run it')
  await armed(page).waitFor()
  await sign(page)
  await composer(page).fill('half a thought')
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 6))
  await ledger(page).getByText('waits for input').waitFor()
  await page.keyboard.press('Control+Backquote')
  const terminal = page.getByRole('textbox', { name: /^Terminal of/ })
  await expect(terminal).toBeFocused()
  await page.keyboard.type('one')
  await page.keyboard.press('Control+Backquote')
  await expect(composer(page)).toBeFocused()
  expect(await composer(page).evaluate((field: HTMLTextAreaElement) => [field.value, field.selectionStart, field.selectionEnd])).toEqual([
    'half a thought',
    5,
    6,
  ])
  await page.keyboard.press('Control+Backquote')
  await expect(terminal).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('paragraph').getByText('It ended.')).toBeVisible()
  await expect(page.locator('.xterm-rows').first()).toContainText('got one')
})

test(
  'a refusal with a note leaves the caret in the composer, and pressing Escape in the note returns the focus to its button',
  { tag: '@slow' },
  async ({ page, opened }) => {
    await opened([calls(call('shell', RUN)), say('No.')], 'Run it')
    await armed(page).waitFor()
    const note = page.getByRole('button', { name: 'Refuse with a note' })
    await note.click()
    await page.keyboard.press('Escape')
    await expect(note).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Not now.')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('paragraph').getByText('No.')).toBeVisible()
    await expect(composer(page)).toBeFocused()
  },
)

test(
  'messages that are queued when a turn is stopped are shown as held, and can be edited or sent',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    const { scripted } = await opened(({ index }) => (index === 0 ? calls(call('shell', RUN)) : say(`Answer ${index}.`)), 'Run it')
    await armed(page).waitFor()
    for (const words of ['Then this', 'And that']) {
      await composer(page).fill(words)
      await page.keyboard.press('Alt+Enter')
    }
    const waiting = page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')
    await expect(waiting).toHaveCount(2)
    await expect(waiting.first()).toContainText('comes after this turn')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(waiting.first()).toContainText('not sent because you stopped')
    await keepPictures(page, info, 'held')
    await waiting.filter({ hasText: 'And that' }).getByRole('button', { name: 'Take back' }).click()
    await expect(waiting).toHaveCount(1)
    await expect(composer(page)).toHaveValue('And that')
    await expect(composer(page)).toBeFocused()
    await waiting.first().getByRole('button', { name: 'Send now' }).click()
    await expect(page.getByRole('paragraph').getByText('Answer 1.')).toBeVisible()
    await expect(waiting).toHaveCount(0)
    expect(JSON.stringify((await scripted.request(1)).body)).toContain('Then this')
  },
)

/** Returns controls that hold back the stream items sent to the page, but not the answers to the page's own calls. */
async function heldNews(page: Page) {
  const held: (() => void)[] = []
  let isHolding = false
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((frame) => {
      const pass = (): void => socket.send(frame)
      if (isHolding && String(frame).startsWith('{"kind":"item"')) held.push(pass)
      else pass()
    })
  })
  return {
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const pass of held.splice(0)) pass()
    },
  }
}
