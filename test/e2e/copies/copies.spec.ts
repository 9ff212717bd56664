import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, message, say } from '../../support/scripted-model.ts'
import { expect, modelEnv, needsCopies, openProject, send, test } from '../support/desk-test.ts'
import { armed, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

const runs = (command: string) => [message([call('shell', { command })]), say('Done.')]

test('a command that changes nothing needs no signature, and is shown as one line', async ({ page, put, opened }, info) => {
  await put('a.txt', 'hello\n')
  await opened(runs('cat a.txt; exit 1'), 'Look')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await expect(tray(page)).toHaveCount(0)
  await expect(ledger(page)).toContainText('in a copy, changed nothing')
  await expect(ledger(page)).toContainText('exit 1')
  await keepPictures(page, info, 'copy-nothing')
})

test(
  'a running command shows its live output and that the folder is untouched',
  { tag: '@slow' },
  async ({ page, put, places, opened }) => {
    await put('a.txt', 'hello\n')
    await opened(runs('echo began; rm a.txt; sleep 30'), 'Run it')
    await expect(ledger(page)).toContainText('began')
    await expect(ledger(page)).toContainText('Running in a copy')
    await expect(ledger(page)).toContainText('No network. Your folder is untouched.')
    await page.getByRole('button', { name: 'Open in Terminal' }).click()
    await expect(page.getByRole('list', { name: 'Commands of this session' })).toContainText('in a copyno network')
    await expect(page.locator('.xterm-rows').last()).toContainText('began')
    expect(existsSync(join(places.project, 'a.txt'))).toBe(true)
    await page.getByRole('button', { name: 'Stop command' }).click()
  },
)

test('the changes of a command are shown before any of them is written, and can be signed in part', async ({
  page,
  put,
  places,
  opened,
}) => {
  await put('a.txt', 'one\ntwo\n')
  await put('b.txt', 'b\n')
  await opened(runs("echo formatting; sed -i 's/two/TWO/' a.txt; rm b.txt; echo c > c.txt; echo finished"), 'Format')
  await expect(tray(page)).toContainText('Sign what')
  await expect(tray(page)).toContainText('in a copy, nothing is written yet')
  await expect(tray(page)).toContainText('exit 0')
  await expect(tray(page)).toContainText('finished')
  await expect(tray(page)).toContainText('TWO')
  const file = (name: string) => readFile(join(places.project, name), 'utf8')
  expect([await file('a.txt'), await file('b.txt'), existsSync(join(places.project, 'c.txt'))]).toEqual(['one\ntwo\n', 'b\n', false])
  await tray(page).getByRole('button', { name: 'Refuse b.txt' }).click()
  await sign(page, 'Sign 2 of 3 hunks')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect([await file('a.txt'), await file('b.txt'), await file('c.txt')]).toEqual(['one\nTWO\n', 'b\n', 'c\n'])
  await expect(ledger(page)).toContainText('2 files signed')
})

for (const [what, command, shown] of [
  ['permissions along with an edit', "sed -i 's/one/ONE/' a.txt; chmod 755 a.txt", ['Permissions change from 644 to 755.']],
  ['a new program', 'echo true > run.sh; chmod 755 run.sh', ['It can be run as a program (permissions 755).']],
  [
    'changes other than file contents',
    'chmod 600 a.txt; ln -s a.txt link; mkdir empty',
    ['Permissions change from 644 to 600.', 'A link to a.txt.', 'A new, empty folder.'],
  ],
] as const)
  test(`the tray shows ${what} before they are signed`, { tag: '@slow' }, async ({ page, put, opened }) => {
    await chmod(await put('a.txt', 'one\n'), 0o644)
    await opened(runs(command), 'Run it')
    await expect(armed(page)).toBeVisible()
    for (const words of shown) await expect(tray(page)).toContainText(words)
  })

test(
  'the ledger gives the reason why the changes of a command were not kept or not applied',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    const file = await put('a.txt', 'one\n')
    const unreadable = String.raw`echo odd > $'bad\xff'`
    await opened(
      [message([call('shell', { command: unreadable })]), message([call('shell', { command: 'echo two > a.txt' })]), say('Done.')],
      'Run',
    )
    await expect(ledger(page)).toContainText('Its changes were not kept. The name of')
    await expect(armed(page)).toBeVisible()
    await writeFile(file, 'mine\n')
    await sign(page, 'Sign changes')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await expect(ledger(page)).toContainText('Nothing was applied: a.txt: the file has changed since.')
    await keepPictures(page, info, 'copy-lost')
  },
)

const text = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8')

test('200 files that a command changed are a list, and all but two of them are signed', async ({ page, put, places, opened }) => {
  for (let n = 1; n <= 200; n++) await put(`${n}.txt`, `value=${n}\n`)
  await opened(runs("sed -i 's/=/ = /' *.txt"), 'Format them')
  await expect(armed(page)).toHaveText(/Sign 200 files/u)
  await expect(tray(page).locator('[data-hunk]')).toHaveCount(200)
  expect(await text(places.project, '1.txt')).toBe('value=1\n')
  await page.keyboard.press('Control+j')
  await page.keyboard.press('n')
  await page.keyboard.press('j')
  await page.keyboard.press('n')
  await sign(page, 'Sign 198 of 200 files')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  const all = await Promise.all(Array.from({ length: 200 }, async (_, n) => [n + 1, await text(places.project, `${n + 1}.txt`)] as const))
  // The first two files in the tray, 1.txt and 2.txt, were refused.
  expect(all.filter(([n, now]) => now !== `value = ${n}\n`)).toEqual([
    [1, 'value=1\n'],
    [2, 'value=2\n'],
  ])
})

test('of a failed command, the tray and the ledger show the first failure', { tag: '@slow' }, async ({ page, put, opened }, info) => {
  await put(
    'test.sh',
    'echo seen > seen.txt\necho ok 1 - adds\necho not ok 2 - splits\nfor n in $(seq 30); do echo at line $n; done\nexit 1\n',
  )
  await opened(runs('sh test.sh'), 'Test it')
  await expect(tray(page)).toContainText('not ok 2 - splits')
  await expect(tray(page)).not.toContainText('at line 30')
  await expect(tray(page)).toContainText('30 other lines')
  await keepPictures(page, info, 'first-failure')
  await sign(page)
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  await expect(ledger(page).getByRole('group', { name: 'Output' })).toContainText('not ok 2 - splits')
  await expect(ledger(page)).toContainText('1 file signed')
  await keepPictures(page, info, 'first-failure-ledger')
})

test(
  'a command’s changes that were waiting when the app was killed can still be signed and applied',
  { tag: '@slow' },
  async ({ page, put, places, desk, opened }) => {
    await put('a.txt', 'one\n')
    const first = await opened(runs('echo two >> a.txt; echo printed'), 'Run it')
    await expect(armed(page)).toBeVisible()
    await first.kill9()
    const second = await desk({ env: modelEnv(first.scripted) })
    await page.goto(second.address)
    await expect(tray(page)).toContainText('in a copy, nothing is written yet')
    expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\n')
    await sign(page)
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(JSON.stringify((await first.scripted.request(1)).body)).toContain('printed')
  },
)

test('a refusal changes nothing in the folder, and the agent gets the output', async ({ page, put, places, opened }) => {
  await put('a.txt', 'one\n')
  const { scripted } = await opened(runs('echo ran; echo two >> a.txt'), 'Run it')
  await expect(armed(page)).toBeVisible()
  await page.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\n')
  expect(JSON.stringify((await scripted.request(1)).body)).toMatch(/ran.*refused its changes/u)
  await expect(ledger(page)).toContainText('in a copy, which was deleted')
})

test(
  'the status shows that the sandbox is on, and in full mode shows the mode instead',
  { tag: '@slow' },
  async ({ page, put, places, opened }) => {
    await put('a.txt', 'one\n')
    await opened(runs('echo two > a.txt'), 'Look')
    await expect(page.getByText('Sandbox on')).toBeVisible()
    await expect(armed(page)).toBeVisible()
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await page.getByRole('combobox', { name: 'Mode', exact: true }).click()
    await page.getByRole('option', { name: /^full/u }).click()
    await expect(page.getByText('Full mode: runs without asking')).toBeVisible()
    await expect(page.getByText('Sandbox on')).toHaveCount(0)
    expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('one\n')
  },
)

test('without bubblewrap the status says how to install it, and commands need approval before they run', async ({
  page,
  places,
  model,
  desk,
}, info) => {
  const programs = join(places.data, 'programs')
  await mkdir(programs, { recursive: true })
  for (const name of await readdir('/usr/bin')) if (name !== 'bwrap') await symlink(join('/usr/bin', name), join(programs, name))
  const scripted = await model([...runs('echo two > a.txt'), ...runs('echo three > a.txt')])
  const running = await desk({ env: { ...modelEnv(scripted), PATH: programs } })
  await page.goto(running.address)
  await openProject(page, places.project)
  await send(page, 'Run it')
  await expect(armed(page)).toBeVisible()
  await expect(tray(page)).toContainText('Run echo two > a.txt')
  await expect(tray(page)).toContainText('The program bwrap is not installed. Type: sudo apt-get install bubblewrap')
  await keepPictures(page, info, 'no-sandbox')
  const item = page.getByText('No sandbox', { exact: true })
  await expect(item).toHaveAttribute('data-tip', /bwrap is not installed\. Type: sudo apt-get install/u)
  await sign(page)
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('two\n')
  await page.keyboard.press('Control+n')
  await page.getByRole('button', { name: /^Work: /u }).click()
  await expect(page.getByRole('group', { name: 'Where should it work?' })).toContainText(
    'This machine has no sandbox, so each command asks first.',
  )
  await page.getByRole('radio', { name: /Beside/u }).click()
  await keepPictures(page, info, 'unconfined-where')
  await send(page, 'Run it beside')
  await sign(page)
  await expect(page.getByRole('main').getByText('not confined')).toBeVisible()
  await expect(page.getByRole('heading', { name: '1 file in the layer' })).toBeVisible()
  await keepPictures(page, info, 'unconfined')
  expect(await readFile(join(places.project, 'a.txt'), 'utf8')).toBe('two\n')
})

test(
  'auto mode is offered with a description, and a background command runs confined without approval',
  { tag: '@slow' },
  async ({ page, put, places, opened }, info) => {
    await put('a.txt', 'one\n')
    const background = call('shell', {
      command: 'echo began > began.txt; touch ../escaped.txt; while read line; do echo "got $line"; done',
      run_in_background: true,
    })
    await opened([say('Ready.'), message([background]), say('Done.')], 'Hello')
    await page.getByRole('combobox', { name: 'Mode', exact: true }).click()
    await expect(page.getByRole('option', { name: /^auto/u })).toContainText('Background commands also run, confined to the folder.')
    await keepPictures(page, info, 'modes')
    await page.getByRole('option', { name: /^auto/u }).click()
    await send(page, 'Start it')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await expect(tray(page)).toHaveCount(0)
    await expect.poll(() => existsSync(join(places.project, 'began.txt'))).toBe(true)
    expect(existsSync(join(places.project, '..', 'escaped.txt'))).toBe(false)
    await expect(ledger(page)).toContainText('as bg_1 confined')
    await page.keyboard.press('Control+2')
    const terminal = page.getByRole('list', { name: 'Commands of this session' }).getByRole('listitem').first()
    await expect(terminal).toContainText('confined')
    await terminal.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('hello')
    await page.keyboard.press('Enter')
    await expect(terminal.locator('.xterm-rows')).toContainText('got hello')
    await keepPictures(page, info, 'confined')
    await ledger(page).getByRole('button', { name: 'Stop bg_1' }).click()
    await expect(terminal).toContainText('ended')
  },
)

test(
  'a background command in ask mode can be run confined instead, after another request',
  { tag: '@slow' },
  async ({ page, places, opened }, info) => {
    const command = 'echo began > began.txt; touch ../escaped.txt; while read line; do echo "got $line"; done'
    await opened([message([call('shell', { command, run_in_background: true })]), say('Done.')], 'Start it')
    await expect(tray(page)).toContainText(', for real')
    await armed(page).waitFor()
    await keepPictures(page, info, 'run-confined')
    await tray(page).getByRole('button', { name: 'Run confined instead' }).click()
    await expect(tray(page)).toContainText('for real, and can write nowhere else')
    await expect(tray(page).getByRole('button', { name: 'Run confined instead' })).toHaveCount(0)
    await armed(page).waitFor()
    await keepPictures(page, info, 'confined-asked')
    await sign(page)
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    await expect.poll(() => existsSync(join(places.project, 'began.txt'))).toBe(true)
    expect(existsSync(join(places.project, '..', 'escaped.txt'))).toBe(false)
    await expect(ledger(page)).toContainText('as bg_1 confined')
  },
)

test('the request to sign a commit shows branch, message and files', { tag: '@slow' }, async ({ page, put, places, opened }, info) => {
  const git = (line: string) => execFileSync('/bin/bash', ['-c', line], { cwd: places.project, encoding: 'utf8' })
  await put('a.txt', 'one\n')
  await put('b.txt', 'b\n')
  const as = 'git -c user.name=Ada -c user.email=ada@example.org'
  git(`git init -q -b main && git add . && ${as} commit -qm first`)
  await opened(
    [
      message([call('shell', { command: `echo two >> a.txt && ${as} commit -qam 'Add the second line' && git switch -qc topic` })]),
      message([call('shell', { command: 'echo three >> a.txt && git add a.txt' })]),
      say('Done.'),
    ],
    'Commit it',
  )
  await expect(armed(page)).toBeVisible()
  for (const words of ['Commit ', 'Add the second line', 'a.txt', 'Switches from main to topic.', 'New branch topic at'])
    await expect(tray(page)).toContainText(words)
  // The names of git objects mean nothing to a user.
  await expect(tray(page)).not.toContainText('.git/')
  await tray(page).getByRole('button', { name: 'Show the changes to a.txt' }).click()
  await expect(tray(page)).toContainText('two')
  await keepPictures(page, info, 'copy-commit')
  await tray(page).getByRole('button', { name: 'Hide the changes to a.txt' }).click()
  expect(git('git log --format=%s; git branch --show-current')).toBe('first\nmain\n')
  await sign(page, 'Sign changes')
  await expect(tray(page)).toContainText('Staged for the next commit:')
  expect(git('git log --format=%s; git branch --show-current')).toBe('Add the second line\nfirst\ntopic\n')
  await keepPictures(page, info, 'copy-stage')
  await tray(page).getByRole('button', { name: 'Refuse the change to the repository' }).click()
  await sign(page, 'Sign 1 of 2 hunks')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(git('git diff --cached --name-only; git diff --name-only; git fsck')).toBe('a.txt\n')
  await expect(ledger(page)).toContainText('1 file, 1 commit signed')
  await expect(ledger(page)).toContainText('1 file signed repository refused')
  await expect(ledger(page)).toContainText('1 file modified.')
  const step = ledger(page).getByRole('listitem').filter({ hasText: '1 commit signed' })
  await step.hover()
  await step.getByRole('button', { name: /^Show the/u }).click()
  await expect(ledger(page)).toContainText('New branch topic at')
  await keepPictures(page, info, 'copy-committed')
  await ledger(page).getByRole('button', { name: 'Show the changes to a.txt' }).click()
  await ledger(page).getByText('two', { exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Who wrote this line' }).click()
  await expect(page.getByRole('region', { name: 'Who wrote line 2' })).toContainText('Step 1')
  await keepPictures(page, info, 'copy-committed-writer')
})

test('a new folder that git ignores is signed and applied as a whole', { tag: '@slow' }, async ({ page, put, places, opened }, info) => {
  await put('.gitignore', 'node_modules/\n')
  const command =
    'mkdir -p node_modules/p && cd node_modules/p && for n in {1..1500}; do echo $n > $n.js; done; echo {} > ../../package-lock.json'
  await opened(runs(command), 'Install it')
  await expect(armed(page)).toBeVisible()
  await expect(tray(page)).toContainText('A new folder that git ignores: 1,500 files')
  await keepPictures(page, info, 'copy-tree')
  expect(existsSync(join(places.project, 'node_modules'))).toBe(false)
  await page.reload()
  await expect(armed(page)).toBeVisible()
  await sign(page, 'Sign changes')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(await readdir(join(places.project, 'node_modules/p'))).toHaveLength(1500)
  await expect(ledger(page)).toContainText('node_modules with 1,500 files signed')
})

test(
  'a refused folder that git ignores is removed completely, even from the data folder',
  { tag: '@slow' },
  async ({ page, put, places, opened }) => {
    await put('.gitignore', 'node_modules/\n')
    await opened(runs('mkdir node_modules && touch node_modules/{1..300}'), 'Install it')
    await expect(armed(page)).toBeVisible()
    await expect(tray(page)).toContainText('node_modules is created with 300 files')
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(existsSync(join(places.project, 'node_modules'))).toBe(false)
    expect((await readdir(join(places.data, 'copies'))).filter((name) => name.startsWith('held'))).toEqual([])
  },
)
