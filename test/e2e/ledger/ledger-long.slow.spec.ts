import type { Page } from 'playwright/test'
import { componentRenders } from '../support/component-renders.ts'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, modelEnv, send, test } from '../support/desk-test.ts'
import { entries, ledger } from '../support/on-the-desk.ts'
import { writeSession } from '../support/written-session.ts'

/**
 * Scrolls near the top and waits until older entries are loaded and drawn. The page is not queried during that time, because a query may
 * cause a layout.
 */
function older(page: Page): Promise<void> {
  return page.getByRole('region', { name: 'Ledger' }).evaluate(async (box) => {
    const count = (): number => box.querySelectorAll('[role=listitem]').length
    const frame = (): Promise<number> => new Promise(requestAnimationFrame)
    const held = count()
    box.scrollTop = 300
    while (count() === held) await frame()
    for (let frames = 0; frames < 4; frames++) await frame()
  })
}

interface Cost {
  readonly rows: number
  readonly renders: number
  readonly layouts: number
}

test('loading older entries renders no existing row again and measures no row outside the view', async ({ page, places, desk }) => {
  await writeSession({ data: places.data, folder: places.project, turns: 280 })
  const renders = await componentRenders(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const layouts = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN
  }
  const { address } = await desk()
  await page.goto(address)
  await expect(ledger(page).getByText('Answer 280 ends.')).toBeInViewport()
  const costs: Cost[] = []
  for (let time = 0; time < 5; time++) {
    const rows = await entries(page).count()
    const rendersBefore = await renders()
    const layoutsBefore = await layouts()
    await older(page)
    costs.push({
      rows: (await entries(page).count()) - rows,
      renders: (await renders()) - rendersBefore,
      layouts: (await layouts()) - layoutsBefore,
    })
  }
  const [first, ...later] = costs
  expect(costs.map(({ rows }) => rows)).toEqual([100, 100, 100, 100, 100])
  // Each of the 100 rows is drawn and has several components.
  expect(first?.renders).toBeGreaterThan(100)
  for (const { renders: anew } of later) expect(anew).toBeLessThan((first?.renders ?? 0) + 100)
  // A page has 25 paths. Measuring them one by one would cause 25 layouts of everything that is drawn. A page really causes 7 to 9
  // layouts, so 20 is the limit.
  for (const { layouts: done } of costs) expect(done).toBeLessThan(20)
  // The browser visits each box in each frame, but not the entries of a box that is outside the view.
  expect(await ledger(page).locator('> *').count()).toBeLessThan((await entries(page).count()) / 16)
  const last = entries(page).filter({ hasText: 'Answer 280 ends.' })
  expect(await last.evaluate((row) => row.checkVisibility({ contentVisibilityAuto: true }))).toBe(false)
})

test('no pane paints its content again while it is scrolled', async ({ page, places, desk }) => {
  await writeSession({ data: places.data, folder: places.project, turns: 60 })
  const { address } = await desk()
  await page.goto(address)
  await expect(ledger(page).getByText('Answer 60 ends.')).toBeInViewport()
  const devtools = await page.context().newCDPSession(page)
  let layers: readonly (readonly string[])[] = []
  devtools.on('LayerTree.layerTreeDidChange', (change) => {
    layers = change.layers?.map(({ scrollRects = [] }) => scrollRects.map(({ type }) => type)) ?? layers
  })
  await devtools.send('DOM.enable')
  await devtools.send('LayerTree.enable')
  await expect.poll(() => layers.length).toBeGreaterThan(0)
  expect(layers.flat()).not.toContain('RepaintsOnScroll')
})

test('a new step does not re-render the composer, the list of sessions or the rows of other changed files', async ({
  page,
  places,
  model,
  desk,
}) => {
  const ROUNDS = 20
  const edit = (at: number) => message([call('write_file', { file_path: `file-${at}.txt`, content: `${at}\n` })])
  const scripted = await model([...Array.from({ length: ROUNDS }, (_, at) => edit(at)), say('All files are written.')])
  await writeSession({ data: places.data, folder: places.project, turns: 1, mode: 'full' })
  const renders = await componentRenders(page)
  const { address } = await desk({ env: modelEnv(scripted) })
  await page.goto(address)
  await expect(ledger(page).getByText('Answer 1 ends.')).toBeInViewport()
  // These props identify components: `tools` the composer's frame, `hoverActions` the row of a changed file, and `groups` the two
  // components of the list of sessions.
  const composers = await renders('tools')
  const rows = await renders('hoverActions')
  const lists = await renders('groups')
  await send(page, 'Write all files')
  await expect(ledger(page).getByText('All files are written.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Changed files' }).getByRole('region')).toHaveCount(ROUNDS)
  // The draft, the start of the turn, and its end change the composer.
  const newComposers = (await renders('tools')) - composers
  expect(newComposers).toBeGreaterThan(0)
  expect(newComposers).toBeLessThan(ROUNDS)
  // The order of the sessions changes when the turn starts, when it ends, and when the user has seen its end.
  const newLists = (await renders('groups')) - lists
  expect(newLists).toBeGreaterThan(0)
  expect(newLists).toBeLessThan(ROUNDS)
  // If the rows were rendered for each change of any file, they would be rendered 210 times.
  const newRows = (await renders('hoverActions')) - rows
  expect(newRows).toBeGreaterThanOrEqual(ROUNDS)
  expect(newRows).toBeLessThanOrEqual(ROUNDS * 2)
})

test('in an answer of thousands of paragraphs, only the part near the viewport is laid out', async ({ page, opened }) => {
  const paragraphs = Array.from({ length: 3_000 }, (_, index) => `Paragraph ${index}.`)
  await opened([say(paragraphs.join('\n\n'))], 'Write')
  const paragraph = (index: number) => ledger(page).getByText(`Paragraph ${index}.`, { exact: true })
  const isLaidOut = (index: number): Promise<boolean> =>
    paragraph(index).evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))
  await expect(paragraph(2_999)).toBeInViewport()
  await expect.poll(async () => [await isLaidOut(0), await isLaidOut(2_999)]).toEqual([false, true])
  await page.getByRole('region', { name: 'Ledger' }).evaluate((box) => (box.scrollTop = 0))
  await expect(paragraph(0)).toBeInViewport()
  await expect.poll(async () => [await isLaidOut(0), await isLaidOut(2_000)]).toEqual([true, false])
})
