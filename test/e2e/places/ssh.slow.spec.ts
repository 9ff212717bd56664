import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSshServer, whyNoSshServer } from '../../places/support/ssh-server.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { composer, ledger, sign } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

// The other machine is Debian's ssh server on this one. The reason says what to install.
test.skip(whyNoSshServer !== null, whyNoSshServer ?? '')

test('a folder on another machine is opened after the host key and the installation are accepted, and a session works there', async ({
  page,
  model,
  desk,
}, info) => {
  test.setTimeout(240_000)
  const server = await startSshServer({ knowsHost: false })
  try {
    const project = join(server.home, 'tidewater')
    await mkdir(project)
    await writeFile(join(project, 'a.txt'), 'hello\n')
    execFileSync('git', ['init', '--quiet'], { cwd: project })
    const scripted = await model([
      calls(call('edit_file', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
      calls(call('shell', { command: 'cat a.txt; pwd' })),
      say('Done there.'),
      calls(call('shell', { command: 'for i in 1 2 3 4 5 6 7 8 9 10; do echo tick $i | tee -a ticks.txt; sleep 1; done' })),
      say('Ticked.'),
    ])
    const running = await desk({ env: { ...modelEnv(scripted), COUNTERSIGN_SSH_CONFIG: server.config } })
    await page.goto(running.address)
    await page
      .getByRole('button', { name: /Open (a|the) folder/u })
      .first()
      .click()
    await page.getByRole('button', { name: 'Another machine…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open a folder on another machine' })
    await dialog.getByRole('button', { name: 'box' }).click()
    await expect(dialog).toContainText('The authenticity of host', { timeout: 60_000 })
    await keepPictures(page, info, 'place-host-key')
    await dialog.getByRole('button', { name: 'The key is right' }).click()
    await expect(dialog).toContainText('What is installed on box', { timeout: 60_000 })
    await keepPictures(page, info, 'place-connect')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: /Sign and install/u }).click()
    const path = dialog.getByRole('combobox', { name: 'Path of the folder on box' })
    await expect(path).toBeFocused({ timeout: 120_000 })
    await path.fill('~/tide')
    await expect(dialog.getByRole('option')).toHaveText(/~\/tidewater/u)
    await keepPictures(page, info, 'place-folders')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Trust and open' }).click({ timeout: 60_000 })
    await composer(page).fill('Go')
    await page.keyboard.press('Enter')
    await sign(page)
    await expect.poll(() => readFile(join(project, 'a.txt'), 'utf8'), { timeout: 60_000 }).toBe('hello there\n')
    await expect(ledger(page)).toContainText('Done there.', { timeout: 60_000 })
    await expect(page.getByText('tidewater on box').first()).toBeVisible()
    await keepPictures(page, info, 'place-session')

    await composer(page).fill('Tick')
    await page.keyboard.press('Enter')
    await sign(page)
    await expect.poll(() => readFile(join(project, 'ticks.txt'), 'utf8').catch(() => ''), { timeout: 30_000 }).toContain('tick 2')
    server.stop()
    server.cut()
    const lost = page.getByRole('region', { name: /No connection to box/u })
    await expect(lost).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/No connection to box, (next try|trying)/u)).toBeVisible()
    await keepPictures(page, info, 'place-lost')
    expect(await axeFindings(page)).toEqual([])
    server.goOn()
    await lost.getByRole('button', { name: 'Reconnect now' }).click()
    await expect(lost).toBeHidden({ timeout: 60_000 })
    await expect(ledger(page)).toContainText('Ticked.', { timeout: 60_000 })
    const sent = JSON.stringify(scripted.requests.at(-1)?.body.messages)
    expect(sent).toContain(Array.from({ length: 10 }, (_, at) => `tick ${at + 1}`).join('\\n'))
  } finally {
    await server.close()
  }
})

test('a web server that the agent starts on another machine is noticed, and a press opens its page here until it is stopped', async ({
  page,
  model,
  desk,
}, info) => {
  test.setTimeout(240_000)
  const server = await startSshServer()
  try {
    const project = join(server.home, 'tidewater')
    await mkdir(project)
    await writeFile(join(project, 'index.html'), '<title>Tidewater</title><h1>Hello from box</h1>')
    execFileSync('git', ['init', '--quiet'], { cwd: project })
    const script = 'import http.server as h; h.ThreadingHTTPServer(("127.0.0.1", 0), h.SimpleHTTPRequestHandler).serve_forever()'
    const scripted = await model([
      calls(call('shell', { command: `python3 -c '${script}'`, run_in_background: true })),
      say('The server runs.'),
    ])
    const running = await desk({ env: { ...modelEnv(scripted), COUNTERSIGN_SSH_CONFIG: server.config } })
    await page.goto(running.address)
    await page
      .getByRole('button', { name: /Open (a|the) folder/u })
      .first()
      .click()
    await page.getByRole('button', { name: 'Another machine…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open a folder on another machine' })
    await dialog.getByRole('button', { name: 'box' }).click()
    await dialog.getByRole('button', { name: /Sign and install/u }).click({ timeout: 60_000 })
    await dialog.getByRole('combobox', { name: 'Path of the folder on box' }).fill('~/tidewater', { timeout: 120_000 })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Trust and open' }).click({ timeout: 60_000 })
    await composer(page).fill('Serve it')
    await page.keyboard.press('Enter')
    await sign(page)
    await expect(ledger(page)).toContainText('The server runs.', { timeout: 60_000 })
    await page.getByRole('button', { name: /^Port \d+$/u }).click({ timeout: 30_000 })
    const ports = page.getByRole('list', { name: 'Ports of this session’s programs' })
    await expect(ports).toContainText(/Port \d+, python/u)
    await keepPictures(page, info, 'ports-seen')
    await ports.getByRole('button', { name: /^Forward port/u }).click()
    const link = ports.getByRole('button', { name: /^127\.0\.0\.1:\d+$/u })
    await expect(link).toBeVisible()
    await keepPictures(page, info, 'ports-forwarded')
    expect(await axeFindings(page)).toEqual([])
    await link.click()
    const [opened] = await Promise.all([page.waitForEvent('popup'), ports.getByRole('button', { name: /^Open 127/u }).click()])
    await expect(opened).toHaveTitle('Tidewater')
    const url = opened.url()
    await opened.close()
    await ports.getByRole('button', { name: /^Stop forwarding/u }).click()
    await expect(link).toBeHidden()
    await expect(fetch(url)).rejects.toThrow()
  } finally {
    await server.close()
  }
})
