import type { Page } from 'playwright/test'
import { call, calls, gate, message, say, text, thinking } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { armed, composer, entries, ledger, sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'
import { restingBox } from '../support/settled.ts'
import { inNoTime } from '../support/standing-clock.ts'
import { writeSession } from '../support/written-session.ts'

test.use({ sandbox: 'off' })

const scroller = (page: Page) => page.getByRole('region', { name: 'Ledger' })

test('HTML in a model’s text stays text, nothing remote is loaded, and links open only on a click', async ({ page, opened }) => {
  const words = [
    '# A heading',
    'With **bold**, `code` and [a link](https://example.test/page).',
    '<img src="https://evil.test/pixel.png" onerror="document.title=\'owned\'"> and <script>document.title="owned"</script>',
    '![picture](https://evil.test/picture.png)',
    '[a trap](javascript:alert(1))',
    '- one\n- two',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '```js\nconst a = "<b>"\n```',
  ].join('\n\n')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const { address } = await opened([say(words)], 'Write')
  await expect(ledger(page).locator('pre code')).toHaveText('const a = "<b>"')
  await expect(ledger(page).getByRole('heading', { name: 'A heading' })).toBeVisible()
  await expect(ledger(page).locator('strong')).toHaveText('bold')
  await expect(ledger(page).getByRole('table').getByRole('cell')).toHaveText(['1', '2'])
  await expect(ledger(page).getByText('<script>document.title="owned"</script>')).toBeVisible()
  await expect(ledger(page).getByText('picture (https://evil.test/picture.png)')).toBeVisible()
  expect(await ledger(page).locator('img:not([role]), script, a').count()).toBe(0)
  await ledger(page).getByRole('button', { name: 'a trap' }).click()
  await expect(ledger(page).getByText('only plain https addresses are opened')).toBeVisible()
  const opens = page.waitForEvent('popup')
  await ledger(page).getByRole('button', { name: 'a link' }).click()
  await ledger(page).getByRole('button', { name: 'Open example.test' }).waitFor()
  expect(
    page
      .context()
      .pages()
      .map((one) => one.url())
      .filter((url) => url.includes('example.test')),
  ).toEqual([])
  await ledger(page).getByRole('button', { name: 'Open example.test' }).click()
  await (await opens).close()
  expect(await page.title()).not.toContain('owned')
  expect(asked.filter((url) => !url.startsWith(new URL(address).origin))).toEqual([])
})

test('every block of an answer begins at the same edge, and there is space between the blocks of a quote', async ({
  page,
  opened,
}, info) => {
  const words = [
    '> First\n>\n> Second',
    'Words.',
    '---',
    '## Heading',
    '- one\n- two',
    '1. first',
    '```\ncode\n```',
    '| a |\n|---|\n| 1 |',
    '> Last',
  ]
  await opened([say(words.join('\n\n'))], 'Write')
  await expect(ledger(page).getByText('Last')).toBeVisible()
  const quotes = ledger(page).locator('blockquote')
  const edges = await quotes
    .first()
    .evaluate((quote) => [...(quote.parentElement?.children ?? [])].map((block) => block.getBoundingClientRect().x))
  expect(edges).toEqual(words.map(() => edges[0]))
  const edge = await ledger(page).getByText('Words.').boundingBox()
  expect(edges[0]).toBe(edge?.x)
  const [first, second] = await quotes.first().locator('p').all()
  const above = await first?.boundingBox()
  const below = await second?.boundingBox()
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0))
  await keepPictures(page, info, 'blocks')
})

test('nothing above an answer is redrawn while it is written, and the answer does not move when it is finished', async ({
  page,
  opened,
}) => {
  const paragraphs = Array.from({ length: 30 }, (_, index) => `Paragraph ${index} with *some* words in it.`).join('\n\n')
  const watched = gate()
  await opened(
    [
      message([thinking('First I think.'), text('Before.'), call('glob', { pattern: '*' })]),
      message([text(paragraphs)], { delivery: { paceMs: 10, stops: [{ at: 8_000, next: watched.opened }] } }),
    ],
    'Write',
  )
  await expect(ledger(page).getByText('Paragraph 3 ', { exact: false })).toBeVisible()
  const changes = await ledger(page).evaluateHandle((list) => {
    const rows = [...list.querySelectorAll('[role=listitem]')]
    const finished = rows.slice(0, 3)
    const early = [...(rows[3]?.querySelectorAll('p') ?? [])].slice(0, 2)
    let mutations = 0
    const observer = new MutationObserver((records) => (mutations += records.length))
    for (const node of [...finished, ...early])
      observer.observe(node, { subtree: true, childList: true, characterData: true, attributes: true })
    const at = list.textContent?.length ?? 0
    return async () => {
      while ((list.textContent?.length ?? 0) < at + 500) await new Promise(requestAnimationFrame)
      return { mutations, watched: finished.length + early.length }
    }
  })
  watched.open()
  expect(await changes.evaluate((written) => written())).toEqual({ mutations: 0, watched: 5 })
  await expect(ledger(page).getByText('Paragraph 29')).toBeVisible()
})

test('the view follows new text while the end of the ledger is visible, and otherwise stays in place and counts new steps', async ({
  page,
  opened,
}, info) => {
  const long = gate()
  await opened(async ({ index }) => {
    if (index === 0)
      return message([text(Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join('\n\n')), call('glob', { pattern: 'a*' })])
    if (index === 1) {
      await long.opened
      return message([text('A second answer.'), call('glob', { pattern: 'b*' }), call('glob', { pattern: 'c*' })])
    }
    return say('The end.')
  }, 'Write')
  await expect(ledger(page).getByText('Find').first()).toBeInViewport()
  await scroller(page).hover()
  await page.mouse.wheel(0, -600)
  await expect(ledger(page).getByText('Find').first()).not.toBeInViewport()
  const line = ledger(page).getByText('Line 20.')
  const before = await restingBox(line)
  long.open()
  await expect(page.getByRole('button', { name: /new step/ })).toBeVisible()
  await expect(ledger(page).getByText('The end.')).toBeAttached()
  expect((await line.boundingBox())?.y).toBe(before?.y)
  await keepPictures(page, info, 'new-steps')
  await page.getByRole('button', { name: '4 new steps' }).click()
  await expect(ledger(page).getByText('The end.')).toBeInViewport()
  await expect(page.getByRole('button', { name: /new step/ })).toHaveCount(0)
})

test('a long ledger opens at its end, and scrolling up loads older pages without moving the visible rows', async ({
  page,
  places,
  desk,
}) => {
  await writeSession({ data: places.data, folder: places.project, turns: 150 })
  const { address } = await desk()
  await page.goto(address)
  await expect(ledger(page).getByText('Answer 150 ends.')).toBeInViewport()
  await expect(ledger(page).getByText(/older entr(?:y|ies) above/)).toBeAttached()
  const held = await entries(page).count()
  const moved = await scroller(page).evaluate(async (box) => {
    const count = (): number => box.querySelectorAll('[role=listitem]').length
    const frames = async (wanted: number): Promise<void> => {
      for (let frame = 0; frame < wanted; frame++) await new Promise(requestAnimationFrame)
    }
    // All of this runs before the next frame, in which the page sees the scroll position and may insert older entries above.
    box.scrollTop = 300
    const top = box.getBoundingClientRect().top
    const read = [...box.querySelectorAll('[role=listitem]')].find((entry) => entry.getBoundingClientRect().top > top)
    const place = (): number => read?.getBoundingClientRect().top ?? Number.NaN
    const before = count()
    const at = place()
    while (count() === before) await frames(1)
    await frames(5)
    return Math.abs(place() - at)
  })
  expect(await entries(page).count()).toBeGreaterThan(held)
  expect(moved).toBeLessThanOrEqual(1)
  await scroller(page).hover()
  const first = entries(page).first()
  while ((await first.getByText('Request 1', { exact: true }).count()) === 0) await page.mouse.wheel(0, -20_000)
  await expect(ledger(page).getByText(/older entr(?:y|ies) above/)).toHaveCount(0)
})

test('“Stop command” ends only the running command, and the turn continues with its output', async ({ page, opened }, info) => {
  await opened(
    [calls(call('shell', { command: '/bin/echo working; sleep 60; echo never', timeout_ms: 90_000 })), say('It was stopped.')],
    'Run it',
  )
  await sign(page)
  await expect(ledger(page).getByRole('group', { name: 'Output so far' })).toContainText('working')
  await expect(page.getByText(/^Waiting for/)).toContainText('echo working')
  await keepPictures(page, info, 'running')
  await page.getByRole('button', { name: 'Stop command' }).click()
  await expect(ledger(page).getByText('It was stopped.')).toBeVisible()
  await expect(ledger(page).getByText(/ended by a signal|exit 130/)).toBeVisible()
})

test('Esc twice stops the turn without losing anything, and a stopped turn needs no attention', async ({ page, opened }) => {
  await page.clock.install()
  await opened([calls(call('shell', { command: '/bin/sleep 60' })), say('Never.')], 'Run it')
  await armed(page).waitFor()
  await inNoTime(page, async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })
  await expect(page.locator('[data-tray]')).toHaveCount(0)
  await expect(ledger(page).getByText('not run')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
})

test('an unsent message survives a reload, and Up in the empty field recalls earlier messages', async ({ page, opened }) => {
  await opened(({ index }) => say(`Answer ${index}.`))
  for (const [index, words] of ['first message', 'second message'].entries()) {
    await send(page, words)
    await expect(ledger(page).getByText(`Answer ${index}.`)).toBeVisible()
  }
  await composer(page).fill('half a thought')
  await page.reload()
  await expect(composer(page)).toHaveValue('half a thought')
  // The draft is shown before the session is loaded, but Up needs the session's messages, so the test waits for them.
  await expect(ledger(page)).toContainText('Answer 1.')
  await composer(page).fill('')
  for (const expected of ['second message', 'first message', 'first message']) {
    await page.keyboard.press('ArrowUp')
    await expect(composer(page)).toHaveValue(expected)
  }
  await page.keyboard.press('ArrowDown')
  await expect(composer(page)).toHaveValue('second message')
  await page.keyboard.press('ArrowDown')
  await expect(composer(page)).toHaveValue('')
})

test('screen readers announce an answer sentence by sentence while it is written', async ({ page, opened }) => {
  const first = 'The first sentence.'
  const rest = `The second one has ${'very '.repeat(40)}many words! And a third?`
  const heard = gate()
  const stops = [{ at: 2_000, next: heard.opened }]
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(window, { said })
    Object.assign(document, { ariaNotify: (sentence: string) => said.push(sentence) })
  })
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said)
  await opened(({ index }) => (index === 0 ? say(`${first} ${rest}`, { delivery: { stops } }) : say('All at once.')), 'Speak')
  await expect.poll(said).toEqual([first])
  heard.open()
  await expect(ledger(page).getByText('And a third?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect.poll(async () => (await said()).join(' ')).toBe(`${first} ${rest}`)
  await send(page, 'And again')
  await expect.poll(said).toContain('All at once.')
  expect(await axeFindings(page)).toEqual([])
})
