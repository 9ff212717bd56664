import { join } from 'node:path'
import { startUpdateFeed } from '../../electron/update-feed.ts'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, modelEnv, openProject, send, test } from '../support/desk-test.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { armed, composer, newSession, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test('the page of the packed desktop shell is drawn under its own content policy, which blocks nothing that it needs', async ({
  page,
  desk,
}) => {
  const { address } = await desk()
  const response = await page.goto(address)
  expect(response?.headers()['content-security-policy']).toContain("connect-src 'none'")
  await expect(page.getByText('Nothing leaves this computer until you add a key')).toBeVisible()
})

test('a folder that a second instance asks for is shown in the open window, with the trust question', async ({ page, places, desktop }) => {
  const { address, give } = await desktop()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Open a folder' }).last()).toBeVisible()
  give({ kind: 'second_instance', folder: places.project })
  await expect(page.getByRole('button', { name: 'Trust and open' })).toBeVisible()
})

test('a window that runs without Chromium’s sandbox says so, with what to do', async ({ page, desktop }) => {
  const { address } = await desktop({ switches: ['--no-sandbox'] })
  await page.goto(address)
  await page.getByRole('button', { name: 'Window not confined' }).click()
  await expect(page.getByText('install the Debian package')).toBeInViewport()
})

test('the settings show the licenses of all packages and fonts', { tag: '@slow' }, async ({ page, desktop }) => {
  const { address, give } = await desktop()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Open a folder' }).last()).toBeVisible()
  give({ kind: 'clicks_menu', label: 'About Countersign' })
  await page.getByRole('button', { name: 'Show licenses' }).click()
  await expect(page.getByRole('group', { name: 'Licenses' })).toContainText('SIL OPEN FONT LICENSE')
})

test('each command of the application menu does in the window what it says', async ({ page, places, desktop }) => {
  const { address, give } = await desktop()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Open a folder' }).last()).toBeVisible()
  const choose = (label: string): void => give({ kind: 'clicks_menu', label })
  choose('All Keys')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  choose('Settings…')
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible()
  choose('Find in All Sessions…')
  await expect(page.getByRole('searchbox').or(page.getByRole('combobox')).first()).toBeFocused()
  give({ kind: 'chooses_folder', folder: places.project })
  choose('Open Folder…')
  await expect(page.getByRole('button', { name: 'Trust and open' })).toBeVisible()
})

test('after a restart, the window shows the same session as before, not the newest', async ({ page, places, model, desktop }) => {
  const env = modelEnv(await model([say('One.'), say('Two.')]))
  const first = await desktop({ env })
  await page.goto(first.address)
  await openProject(page, places.project)
  await send(page, 'The older session')
  await expect(page.getByText('One.', { exact: true })).toBeVisible()
  await newSession(page)
  await send(page, 'The newer session')
  await expect(page.getByText('Two.', { exact: true })).toBeVisible()
  await page
    .getByRole('button', { name: /^The older session/ })
    .first()
    .click()
  await expect(page.getByText('One.', { exact: true })).toBeVisible()
  // Electron forgets what a page stored for its window.
  await page.evaluate(() => sessionStorage.clear())
  await first.stop()
  const second = await desktop({ env })
  await page.goto(second.address)
  await expect(page.getByText('One.', { exact: true })).toBeVisible()
})

test('a new version from the feed is named in the status strip, and “Restart now” quits and installs it', async ({
  page,
  desktop,
}, info) => {
  // The update replaces the file of an AppImage, which only Linux starts. Updates of the other systems need their installers.
  test.skip(process.platform !== 'linux', 'the installed app of this test is an AppImage')
  const feed = await startUpdateFeed({})
  try {
    const env = { COUNTERSIGN_TEST_RESOURCES: feed.resources, XDG_CACHE_HOME: join(feed.data, 'cache'), APPIMAGE: feed.image }
    const { address, ended } = await desktop({ env })
    await page.goto(address)
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await expect(page.getByText('It is ready, and is installed when Countersign quits.')).toBeVisible()
    await keepPictures(page, info, 'update')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Version 9.0.0 is ready' }).click()
    await page.getByRole('button', { name: 'Restart now' }).click()
    expect(await ended).toBe(0)
    await expect.poll(() => [feed.installed(), ...feed.starts()]).toEqual(['9.0.0', 'run'])
  } finally {
    await feed.stop()
  }
})

test('a file dropped from outside is named if it is in the folder, and otherwise its text is added', async ({
  page,
  places: { project },
  put,
  model,
  desktop,
}) => {
  const { address } = await desktop({ env: modelEnv(await model([])) })
  await put('src/a b.md', 'In the folder.\n')
  await page.goto(address)
  await openProject(page, project)
  const paths = {
    'a b.md': join(project, 'src/a b.md'),
    'c.ts': join(project, 'c.ts'),
    'out.md': '/elsewhere/out.md',
    'd.ts': `${project}-2/d.ts`,
  }
  await page.evaluate((dropped) => {
    Object.assign(globalThis, { droppedPaths: dropped })
    const dataTransfer = new DataTransfer()
    for (const name of Object.keys(dropped)) dataTransfer.items.add(new File([`Text of ${name}.`], name))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, paths)
  const attached = page.getByRole('list', { name: 'Pasted texts in this message' }).getByRole('listitem')
  await expect(attached).toHaveText([/File out\.md/u, /File d\.ts/u])
  await expect(composer(page)).toHaveValue('`src/a b.md` @c.ts ')
  await expect(composer(page)).toBeFocused()
})

test.describe('work that runs', () => {
  test.use({ sandbox: 'off' })
  const WORK = [message([call('shell', { command: 'echo once >> ran.txt; sleep 60' })]), say('Ran.')]

  test('a page whose process crashes is loaded again, and a request that waits can still be signed', async ({
    page,
    places,
    model,
    desktop,
  }) => {
    const { address, give } = await desktop({ env: modelEnv(await model(WORK)) })
    await page.goto(address)
    await openProject(page, places.project)
    await send(page, 'Work')
    await expect(tray(page)).toContainText('ran.txt')
    // The shell restores its windows from this address.
    await expect(page).toHaveURL(/#at=[\w-]+$/)
    const reloaded = page.waitForEvent('load')
    give({ kind: 'crashed' })
    await reloaded
    await expect(armed(page)).toBeVisible()
  })

  test('closing the window asks first: after “Cancel” the app runs on, after “Stop and quit” it ends with exit code 0', async ({
    page,
    places,
    model,
    desktop,
  }, info) => {
    const { address, give, ended } = await desktop({ env: modelEnv(await model(WORK)) })
    await page.goto(address)
    await openProject(page, places.project)
    await send(page, 'Work')
    await sign(page)
    await expect(tray(page)).toHaveCount(0)
    const question = page.getByRole('dialog', { name: 'Quit Countersign' })
    give({ kind: 'closes_window' })
    await expect(question).toContainText('One session is at work')
    await expect(question).toContainText('a turn')
    await expect(question.getByRole('button', { name: 'Keep running' })).toBeFocused()
    expect(await axeFindings(page)).toEqual([])
    await keepPictures(page, info, 'quit')
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('sleep 60').first()).toBeVisible()
    give({ kind: 'closes_window' })
    await question.getByRole('button', { name: 'Stop and quit' }).click()
    expect(await ended).toBe(0)
  })
})
