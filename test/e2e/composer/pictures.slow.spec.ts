import { Buffer } from 'node:buffer'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, gate, httpError, say } from '../../support/scripted-model.ts'
import { pdfOf } from '../../support/small-pdf.ts'
import { png } from '../../support/small-pictures.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { composer, ledger } from '../support/on-the-desk.ts'
import { keepScreens } from '../support/screens.ts'

const RED = png(160, 90, [190, 60, 50])
const BLUE = png(60, 120, [50, 80, 190])

interface GivenFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}
const redFile: GivenFile = { name: 'image.png', type: 'image/png', bytes: RED }

/** Pastes the files into the message box or drops them on it, as a browser does. */
async function give(page: Page, how: 'paste' | 'drop', ...files: readonly GivenFile[]): Promise<void> {
  const plain = files.map(({ name, type, bytes }) => ({ name, type, data: bytes.toString('base64') }))
  await composer(page).evaluate(
    (field, { kind, given }) => {
      const transfer = new DataTransfer()
      for (const { name, type, data } of given)
        transfer.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], name, { type }))
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
      field.dispatchEvent(event)
    },
    { kind: how, given: plain },
  )
}

const drafted = (page: Page) => page.getByRole('region', { name: 'Composer' }).getByRole('list', { name: 'Pictures in this message' })
const said = (page: Page) => ledger(page).getByRole('list', { name: 'Pictures in this message' })

/** Returns the bytes of each picture in this list, or "not drawn" for a picture that is not drawn. */
function bytesShown(list: ReturnType<typeof said>): Promise<readonly string[]> {
  return list.locator('img').evaluateAll((images) =>
    images.map((image) => {
      const { naturalWidth, src } = image as HTMLImageElement
      return naturalWidth > 0 ? src.replace(/^.*,/, '') : 'not drawn'
    }),
  )
}

/** Returns the blocks of the user's newest message as the service received them. */
function newestMessage({
  requests,
}: {
  readonly requests: readonly { readonly body: { readonly messages: readonly unknown[] } }[]
}): unknown {
  const message = requests.at(-1)?.body.messages.at(-1) as { readonly content: readonly Record<string, unknown>[] } | undefined
  // The cache mark, which is in the last block, is removed.
  return message?.content.map((block) => Object.fromEntries(Object.entries(block).filter(([name]) => name !== 'cache_control')))
}
const blockOf = (bytes: Buffer) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } })

test('a pasted picture is shown, survives a reload, is sent byte for byte, and stays in the ledger', async ({ page, opened }, info) => {
  const { scripted } = await opened([say('A red rectangle.'), say('Still red.')])
  await give(page, 'paste', redFile)
  await expect.poll(() => bytesShown(drafted(page))).toEqual([RED.toString('base64')])
  await composer(page).fill('What is on this picture?')
  await expect(drafted(page).getByRole('button', { name: /^Picture 1 of 1, PNG, .*: enlarge$/ })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-draft')
  await page.reload()
  await expect.poll(() => bytesShown(drafted(page))).toEqual([RED.toString('base64')])
  await expect(composer(page)).toHaveValue('What is on this picture?')
  await composer(page).press('Enter')
  await expect(ledger(page)).toContainText('A red rectangle.')
  expect(newestMessage(scripted)).toEqual([blockOf(RED), { type: 'text', text: 'What is on this picture?' }])
  await expect(drafted(page)).toHaveCount(0)
  await expect.poll(() => bytesShown(said(page))).toEqual([RED.toString('base64')])
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-said')
  await page.reload()
  await expect.poll(() => bytesShown(said(page))).toEqual([RED.toString('base64')])
  await send(page, 'Sure?')
  await expect(ledger(page)).toContainText('Still red.')
  expect(JSON.stringify(scripted.requests[1]?.body.messages[0])).toContain(RED.toString('base64'))
})

test('a click enlarges a picture and shows its size, and Escape returns the focus', async ({ page, opened }, info) => {
  await opened([say('Seen.')])
  await give(page, 'paste', redFile)
  const small = drafted(page).getByRole('button', { name: /enlarge/ })
  await small.press('Enter')
  const large = page.getByRole('dialog', { name: 'Picture' })
  await expect(large).toContainText('160 × 90')
  await expect(large.getByRole('img')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-large')
  await page.keyboard.press('Escape')
  await expect(large).toHaveCount(0)
  await expect(small).toBeFocused()
})

test('dropped pictures are added, can be removed, and can be sent without text', async ({ page, opened }) => {
  const { scripted } = await opened([say('Blue.')])
  await give(page, 'drop', redFile, { name: 'b.png', type: 'image/png', bytes: BLUE })
  await expect(drafted(page).getByRole('listitem')).toHaveCount(2)
  await drafted(page).getByRole('button', { name: 'Remove picture 1' }).click()
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
  await expect(composer(page)).toBeFocused()
  await composer(page).press('Enter')
  await expect(ledger(page)).toContainText('Blue.')
  expect(newestMessage(scripted)).toEqual([blockOf(BLUE)])
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('A picture')
})

test('a picture can be chosen with the button, and the composer shows where a dragged picture would go', async ({ page, opened }, info) => {
  await opened([])
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  await (await choosing).setFiles({ name: 'b.png', mimeType: 'image/png', buffer: BLUE })
  await expect.poll(() => bytesShown(drafted(page))).toEqual([BLUE.toString('base64')])
  const hold = (kind: 'dragover' | 'dragleave') =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }))
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, kind)
  await hold('dragover')
  const hint = page.getByText('Drop to add the file to this message')
  await expect(hint).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-held')
  await hold('dragleave')
  await expect(hint).toHaveCount(0)
})

test('text that is pasted together with a picture of itself stays text', async ({ page, opened }) => {
  await opened([])
  const isTaken = await composer(page).evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'A cell')
    clipboardData.setData('text/html', '<td>A cell</td>')
    clipboardData.items.add(new File([Uint8Array.of(0x89, 0x50)], 'image.png', { type: 'image/png' }))
    return !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  expect(isTaken).toBe(false)
  await expect(drafted(page)).toHaveCount(0)
})

test('text, PDF files and notebooks are attached as text under their names', async ({ page, opened }, info) => {
  const { scripted } = await opened([say('Read.')])
  const cells = [{ cell_type: 'code', source: ['print(1)'], outputs: [], metadata: {} }]
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })
  const attached = page.getByRole('list', { name: 'Pasted texts in this message' })
  await give(
    page,
    'drop',
    { name: 'notes.md', type: '', bytes: Buffer.from('Only words. \u00e4') },
    { name: 'a.ipynb', type: '', bytes: Buffer.from(notebook) },
    { name: 'report.pdf', type: 'application/pdf', bytes: pdfOf('Days are milliseconds.') },
  )
  await expect(attached.getByRole('listitem')).toHaveText([/File notes\.md:/, /File a\.ipynb/, /File report\.pdf/])
  await keepScreens(page, info, 'files-attached')
  await composer(page).press('Enter')
  await expect(ledger(page)).toContainText('Read.')
  const sent = JSON.stringify((await scripted.request(0)).body)
  expect(sent).toMatch(
    /File notes\.md:.*Only words\. \u00e4.*a rendering of a Jupyter notebook.*print\(1\).*the text of a PDF.*Days are milliseconds\./u,
  )
})

test('a file that cannot be read or is too large is refused with a message, and the draft is kept', async ({ page, opened }, info) => {
  await opened([])
  await give(page, 'paste', redFile)
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
  await give(page, 'paste', { name: 'app.bin', type: '', bytes: Buffer.from([0, 1, 2, 3, 0, 255]) })
  await expect(page.getByText('“app.bin” was not added: it is neither a picture nor text, a PDF or a notebook.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-refused')
  await give(page, 'paste', { name: 'huge.png', type: 'image/png', bytes: Buffer.concat([RED, Buffer.alloc(3_750_000)]) })
  await expect(page.getByText(/^“huge.png” was not added: it is 3.76 MB, and models accept at most 3.75 MB/)).toBeVisible()
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
})

test('a picture can steer the running turn, and a queued picture returns to the composer with its text', async ({ page, opened }, info) => {
  const going = gate()
  const { scripted } = await opened(async ({ index }) => {
    if (index === 0) await going.opened
    return index === 0 ? calls(call('glob', { pattern: '*' })) : say('Seen.')
  }, 'Look around')
  await expect(page.getByRole('button', { name: 'Steer', exact: false }).last()).toBeVisible()
  await give(page, 'paste', { name: 'b.png', type: 'image/png', bytes: BLUE })
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
  await composer(page).fill('then this')
  await composer(page).press('Alt+Enter')
  const waiting = page.getByRole('list', { name: 'Waiting messages' })
  await expect(waiting).toContainText('with 1 picture; comes after this turn')
  await give(page, 'paste', redFile)
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
  await composer(page).fill('like this')
  await composer(page).press('Enter')
  await expect(waiting).toContainText('with 1 picture; reaches the agent after this round')
  await keepScreens(page, info, 'picture-queue')
  await waiting.getByRole('listitem').filter({ hasText: 'then this' }).getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => bytesShown(drafted(page))).toEqual([BLUE.toString('base64')])
  await expect(composer(page)).toHaveValue('then this')
  going.open()
  await expect(ledger(page)).toContainText('Seen.')
  const blocks = newestMessage(scripted) as readonly { readonly type: string }[]
  expect(blocks.slice(-2)).toEqual([blockOf(RED), { type: 'text', text: 'like this' }])
  expect(await bytesShown(said(page))).toEqual([RED.toString('base64')])
})

test('a model that does not accept pictures gets the request again without them, and the ledger shows a note, not an error', async ({
  page,
  opened,
}, info) => {
  const { scripted } = await opened(({ index }) =>
    index === 0 ? httpError(400, 'invalid_request_error', 'This model does not support image input.') : say('I cannot see it.'),
  )
  await give(page, 'paste', redFile)
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
  await send(page, 'What is this?')
  await expect(ledger(page)).toContainText('I cannot see it.')
  await expect(ledger(page)).toContainText('was not sent the pictures')
  await expect(page.locator('[data-tray]')).toHaveCount(0)
  expect(scripted.requests).toHaveLength(2)
  expect(JSON.stringify(newestMessage(scripted))).not.toContain(RED.toString('base64'))
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-left-out')
})

test('the ledger shows its pictures without a service or a key', async ({ page, opened, desk }) => {
  const running = await opened([say('Red.')])
  await give(page, 'paste', redFile)
  await expect(drafted(page).getByRole('listitem')).toHaveCount(1)
  await send(page, 'Look')
  await expect(ledger(page)).toContainText('Red.')
  await running.scripted.close()
  await running.kill9()
  const offline = await desk({ env: {} })
  await page.goto(offline.address)
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: /Look/ }).first().click()
  await expect.poll(() => bytesShown(said(page))).toEqual([RED.toString('base64')])
})

test('a picture that the agent reads is shown in the ledger and in the replay, and a click enlarges it', async ({
  page,
  places,
  opened,
}, info) => {
  await writeFile(join(places.project, 'red.png'), RED)
  await opened([calls(call('read_file', { file_path: 'red.png' }, 'r1')), say('Red.')], 'Look at red.png')
  await expect(ledger(page)).toContainText('Red.')
  const drawn = ledger(page).getByRole('list', { name: 'Pictures in this result' })
  await expect.poll(() => bytesShown(drawn)).toEqual([RED.toString('base64')])
  await expect(ledger(page)).not.toContainText('[image: image/png]')
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'picture-result')
  await drawn.getByRole('button', { name: /^Picture 1 of 1, PNG, .*: enlarge$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Picture' })).toContainText('160 × 90')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+y')
  await page.getByRole('slider', { name: 'Moment of the session' }).press('End')
  await expect.poll(() => bytesShown(drawn)).toEqual([RED.toString('base64')])
})
