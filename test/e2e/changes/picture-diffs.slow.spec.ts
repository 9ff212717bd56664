import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { calls, call, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

/** Returns a picture of one color, drawn by the browser. */
async function drawn(page: Page, type: 'png' | 'jpeg' | 'webp', width: number, colour: string): Promise<Buffer> {
  const url = await page.evaluate(
    ([kind, wide, fill]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: 40 })
      const context = canvas.getContext('2d')
      if (context) {
        context.fillStyle = fill
        context.fillRect(0, 0, wide, 40)
      }
      return canvas.toDataURL(`image/${kind}`)
    },
    [type, width, colour] as const,
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

const side = (within: Page | ReturnType<typeof tray>, label: 'Before' | 'After', nth = 0) =>
  within.getByRole('figure', { name: `${label} the change` }).nth(nth)

/** Whether the picture is decoded and drawn, and not shown as a broken picture. */
const isDrawn = (figure: ReturnType<typeof side>): Promise<boolean> =>
  figure.locator('img').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

const ICON = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="24" onload="window.top.injected=1">\n  <script>window.top.injected = 1; fetch('/from-drawing')</script>\n  <image href="/from-drawing.png" width="4" height="4"/>\n  <rect width="32" height="24" fill="${colour}"/>\n</svg>\n`

test('the versions of a picture or drawing before and after the change are shown, and a drawing runs no script', async ({
  page,
  opened,
  put,
  places: { project },
}, info) => {
  await put('icon.svg', ICON('teal'))
  for (const type of ['png', 'jpeg', 'webp'] as const) {
    await writeFile(join(project, `logo.${type === 'jpeg' ? 'jpg' : type}`), await drawn(page, type, 60, 'teal'))
    await put(`new/logo.${type === 'jpeg' ? 'jpg' : type}`, '')
    await writeFile(join(project, `new/logo.${type === 'jpeg' ? 'jpg' : type}`), await drawn(page, type, 90, 'orange'))
  }
  await put('broken.png', '\u0089PNG then nothing\0')
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: project })
  execFileSync('git', ['add', '--all'], { cwd: project })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const command = 'mv new/logo.png new/logo.jpg new/logo.webp . && printf "other\\0" > broken.png'
  await opened(
    [
      calls(call('edit_file', { file_path: 'icon.svg', old_string: 'teal', new_string: 'orange' })),
      calls(call('shell', { command })),
      say('Done.'),
    ],
    'Paint it orange',
  )
  // The tray shows the drawing above the lines that need a signature.
  await expect(side(tray(page), 'Before')).toContainText('32 × 24')
  await expect(side(tray(page), 'After')).toContainText('32 × 24')
  expect(await isDrawn(side(tray(page), 'After'))).toBe(true)
  await expect(tray(page).locator('[data-line-type=change-addition]', { hasText: 'orange' })).toBeVisible()
  await keepPictures(page, info, 'tray-drawing')
  expect(await axeFindings(page)).toEqual([])
  await sign(page, 'icon.svg')

  // The tray shows three pictures.
  await expect(tray(page)).toContainText('logo.webp')
  for (const nth of [0, 1, 2]) {
    await expect(side(tray(page), 'Before', nth)).toContainText(/Before, 60 × 40, \d/u)
    await expect(side(tray(page), 'After', nth)).toContainText(/After, 90 × 40, \d/u)
    expect(await isDrawn(side(tray(page), 'After', nth))).toBe(true)
  }
  await expect(tray(page)).toContainText('Not text.')
  await keepPictures(page, info, 'tray-pictures')
  await sign(page, 'logo.webp')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()

  await page.keyboard.press('Control+Shift+d')
  for (const name of ['logo.png', 'logo.jpg', 'logo.webp']) {
    await page
      .getByRole('region', { name: 'Project folder' })
      .getByRole('button', { name: new RegExp(`^${name}`, 'u') })
      .first()
      .press('Enter')
    await expect(side(page, 'Before')).toContainText('60 × 40')
    await expect(side(page, 'After')).toContainText('90 × 40')
  }
  await keepPictures(page, info, 'changes-picture')
  await page.getByRole('complementary').getByRole('button', { name: 'icon.svg' }).press('Enter')
  await expect(side(page, 'After')).toContainText('32 × 24')
  await expect(page.getByRole('main').locator('[data-line-type=change-addition]', { hasText: 'orange' })).toBeVisible()
  await keepPictures(page, info, 'changes-drawing')
  expect(await axeFindings(page)).toEqual([])

  // The test now shows the files of the repository, whose versions are not stored.
  await page.getByRole('radio', { name: 'Folder' }).press('Space')
  await page
    .getByRole('region', { name: 'Not staged' })
    .getByRole('button', { name: /^logo\.webp/u })
    .press('Enter')
  await expect(side(page, 'Before')).toContainText('60 × 40')
  await expect(side(page, 'After')).toContainText('90 × 40')

  expect(await page.evaluate(() => 'injected' in window)).toBe(false)
  expect(requested.filter((url) => url.includes('from-drawing'))).toEqual([])
})
