import type { Locator, Page } from 'playwright/test'
import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { armed, composer, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const WIDTHS = [1440, 1180, 900] as const

/** Returns the labels of visible buttons and selects whose text does not fit its box. */
function cutLabels(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const labels = [...document.querySelectorAll<HTMLElement>('button, [role=combobox]')].flatMap((one) => [
      one,
      ...one.querySelectorAll('span'),
    ])
    return labels
      .filter((one) => one.checkVisibility() && one.clientWidth > 1 && getComputedStyle(one).overflowX === 'hidden')
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.closest('[data-whole-elsewhere], nav, [role=tab]') === null)
      .map((one) => one.textContent)
  })
}

const middleOf = async (place: Locator): Promise<number> => {
  const box = await place.boundingBox()
  return box === null ? Number.NaN : box.y + box.height / 2
}

test('no button or select label is cut off while a turn runs, at 1440, 1180 and 900 px', async ({ page, opened }, info) => {
  const held = gate()
  await opened(async () => {
    await held.opened
    return say('Done.')
  }, 'Look around')
  await page.getByRole('button', { name: 'Steer' }).waitFor()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect(await cutLabels(page), `${width} px`).toEqual([])
    await keepPictures(page, info, `running-${width}`)
  }
  await expect(page.getByRole('combobox', { name: 'Effort' })).toHaveText('Effort: default')
  held.open()
})

test('the buttons of a request with a hold button are in one row at 1440 px, with and without the key hint', async ({
  page,
  put,
  opened,
}, info) => {
  await put('build/out.js', 'built\n')
  await opened([calls(call('shell', { command: 'rm -rf build' })), say('Kept.')], 'Clean up')
  await armed(page).waitFor()
  const hold = tray(page).getByRole('button', { name: /^Hold to sign and run/ })
  const answers = ['Refuse', 'Refuse with a note'].map((name) => tray(page).getByRole('button', { name, exact: true }))
  const inOneRow = async (): Promise<void> => {
    for (const answer of answers) expect(Math.abs((await middleOf(answer)) - (await middleOf(hold)))).toBeLessThan(3)
  }
  await inOneRow()
  await composer(page).press('Control+Enter')
  await expect(tray(page).getByRole('status')).toContainText('first, then hold')
  await inOneRow()
  await keepPictures(page, info, 'hold-hint')
  await page.keyboard.press('Control+j')
  await inOneRow()
})

test('the first message is the heading of its turn, and a steering message is a line in the turn', async ({ page, opened }, info) => {
  const held = gate()
  await opened(async ({ index }) => {
    if (index === 0) return calls(call('shell', { command: '/bin/true' }, 'c1'))
    await held.opened
    return say('## Plan\n\n- [x] read\n- [ ] write\n\n#### Detail\n\nSome words.')
  }, 'Look around')
  await armed(page).waitFor()
  await send(page, 'Mind the tests')
  await sign(page)
  const steered = ledger(page).getByText('Mind the tests')
  await steered.waitFor()
  const heading = page.getByRole('heading', { level: 2, name: 'Look around' })
  const size = (one: Locator): Promise<number> => one.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  expect(await size(steered)).toBeLessThan(await size(heading))
  held.open()
  await expect(page.getByRole('heading', { level: 3, name: 'Plan' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 4, name: 'Detail' })).toBeVisible()
  await expect(ledger(page)).not.toContainText('[x]')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'steered')
})

test('the color of an added line reaches the right edge of the diff', async ({ page, put, opened }, info) => {
  await put('a.ts', 'export const a = 1\n')
  await opened(
    [
      calls(call('read_file', { file_path: 'a.ts' })),
      calls(call('edit_file', { file_path: 'a.ts', old_string: '= 1', new_string: '= 2' })),
    ],
    'Edit',
  )
  await armed(page).waitFor()
  // Returns the number of pixels between the end of an added line and the edge of the diff. It is polled, because the diff is drawn again
  // once its colors are known.
  const unpainted = (): Promise<number> =>
    tray(page).evaluate((place) => {
      const within = (root: ParentNode): readonly Element[] =>
        [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? within(one.shadowRoot) : [])])
      const line = within(place).find((one) => one.matches('[data-line-type="change-addition"][data-line]'))
      const root = line?.getRootNode()
      return line && root instanceof ShadowRoot ? root.host.getBoundingClientRect().right - line.getBoundingClientRect().right : 99
    })
  await expect.poll(async () => Math.abs(await unpainted())).toBeLessThan(1)
  await keepPictures(page, info, 'diff')
})

test('a terminal has 80 columns at 1920 px', async ({ page, opened }, info) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  const line = 'x'.repeat(79)
  await opened([calls(call('shell', { command: `/bin/echo ${line}; stty size` })), say('Done.')], 'Print')
  await sign(page)
  await page.getByRole('paragraph').getByText('Done.').waitFor()
  await page.getByRole('tab', { name: /Terminal/ }).click()
  const rows = page.locator('.xterm-rows > div')
  await expect.poll(async () => (await rows.allInnerTexts()).some((row) => row.trimEnd() === line)).toBe(true)
  await keepPictures(page, info, 'terminal')
})
