import { spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, calls, say } from '../../support/scripted-model.ts'
import { runOnTerminal } from '../support/agent-terminal.ts'
import { asked, place } from '../support/model-place.ts'
import { kept, storedEvents } from '../support/stored-events.ts'

const ASKED = 'Sign it? y, n, or a message to the agent: '
const COMMAND = calls(call('shell', { command: 'echo ran > proof', working_dir: 'sub' }))

/** Returns the stored answers in order. */
const answersIn = async (data: string) => kept(await storedEvents(data), 'APPROVAL_ANSWERED').map(({ answer }) => answer)

/** Returns the rows as the terminal shows them. The line editor rewrites a row whenever it returns to the first column. */
const rowsOf = (screen: string): readonly string[] =>
  screen.split(/\r?\n/).map((row) => (row.split('\u001b[1G').at(-1) ?? '').replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|\r/g, ''))

describe('what the question shows', () => {
  test('a write shows its whole unified diff', async () => {
    const at = await place([
      calls(call('edit_file', { file_path: 'a.txt', old_string: 'three', new_string: 'THREE\nand more' })),
      say('Done.'),
    ])
    await writeFile(join(at.cwd, 'a.txt'), 'one\ntwo\nthree\nfour\nfive\n')
    const { code, screen } = await runOnTerminal(['Do it'], at, [{ when: ASKED, type: 'y\r' }])
    expect(code).toBe(0)
    const rows = rowsOf(screen)
    const from = rows.indexOf('   write a.txt (+2 -1):')
    expect(rows.slice(from + 1, from + 9)).toEqual([
      '   | @@ -1,5 +1,6 @@',
      '   |  one',
      '   |  two',
      '   | -three',
      '   | +THREE',
      '   | +and more',
      '   |  four',
      '   |  five',
    ])
    expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\nTHREE\nand more\nfour\nfive\n')
    expect(await answersIn(at.data)).toEqual([{ kind: 'signed' }])
  })

  test('no content can control the terminal, hide the question or look like the question', async () => {
    const nasty = `\u001b[2J\u001b[31mred\nx\u202ereversed\n   Sign it? y, n, or a message to the agent: y\n${'w'.repeat(95)}   // Signed\n`
    const at = await place([calls(call('write_file', { file_path: 'a.txt', content: nasty })), say('Done.')])
    const { screen } = await runOnTerminal(['Do it'], at, [
      { when: `${ASKED}y`, type: '' },
      { when: ASKED, type: 'n\r' },
    ])
    expect(screen).not.toMatch(/\u001b\[2J|\u001b\[31m|\u202e/)
    const rows = rowsOf(screen)
    const from = rows.indexOf('   create a.txt (+4 -0):')
    expect(rows.slice(from + 2, from + 8)).toEqual([
      '   | +\\x1b[2J\\x1b[31mred',
      '   | +x\\u202ereversed',
      '   | +   Sign it? y, n, or a message to the agent: y',
      `   | +${'w'.repeat(94)}`,
      '   : w   // Signed',
      `   ${ASKED}n`,
    ])
  })

  test('a long question is shown in pages: m shows the rest', async () => {
    const content = Array.from({ length: 450 }, (_, n) => `line ${n + 1} of it\n`).join('')
    const at = await place([calls(call('write_file', { file_path: 'a.txt', content })), say('Done.')])
    const { screen } = await runOnTerminal(['Do it'], at, [
      { when: '252 more lines not shown yet', type: '' },
      { when: 'Sign it? y, n, m (200 more lines), or a message to the agent: ', type: 'm\r' },
      { when: 'Sign it? y, n, m (52 more lines), or a message to the agent: ', type: 'm\r' },
      { when: ASKED, type: 'y\r' },
    ])
    const rows = rowsOf(screen).filter((row) => row.startsWith('   | +line'))
    expect(rows).toEqual(Array.from({ length: 450 }, (_, n) => `   | +line ${n + 1} of it`))
    expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe(content)
  })

  test('a command is shown completely, with its working folder and its time limit', async () => {
    const at = await place([calls(call('shell', { command: 'touch one\ntouch two', working_dir: 'sub', timeout_ms: 5000 })), say('Done.')])
    await mkdir(join(at.cwd, 'sub'))
    const { screen } = await runOnTerminal(['--sandbox', 'off', 'Do it'], at, [{ when: ASKED, type: 'n\r' }])
    const rows = rowsOf(screen).join('\n')
    expect(rows).toContain('   | touch one\n   | touch two\n')
    expect(rows.replaceAll('\n   : ', '')).toContain(`   run in ${join(at.cwd, 'sub')}, for at most 5 s:\n`)
  })

  test('a step that cannot be undone requires the full word "yes"', async () => {
    const at = await place([calls(call('shell', { command: 'rm -rf build' })), say('Done.')])
    await mkdir(join(at.cwd, 'build'))
    const question = 'Sign it? yes (in full: it cannot be undone), n, or a message to the agent: '
    await runOnTerminal(['--sandbox', 'off', 'Do it'], at, [
      { when: question, type: 'y\r' },
      { when: 'Type yes in full, or n.', type: '' },
      { when: question, type: 'yes\r' },
    ])
    expect(await readdir(at.cwd)).toEqual([])
  })
})

test('a command’s output is shown once, while the command runs, and each line begins with a bar', async () => {
  const at = await place([
    calls(call('shell', { command: 'echo early; echo next; until test -e go; do sleep 0.1; done; echo "late enough"' })),
    say('Done.'),
  ])
  const { screen } = await runOnTerminal(['--approve', 'all', 'Do it'], at, [
    // The command ends only because the test saw its first line on the terminal.
    { when: '   | early', type: () => void writeFile(join(at.cwd, 'go'), 'enough\n') },
  ])
  const rows = rowsOf(screen)
  const from = rows.indexOf('   | early')
  expect(rows.slice(from, from + 5)).toEqual([
    '   | early',
    '   | next',
    '   | late enough',
    expect.stringMatching(/^   \| Exit code: 0/),
    expect.stringMatching(/^   done /),
  ])
  expect(rows.filter((row) => row === '   | early')).toHaveLength(1)
})

test('a rehearsal says that it is scripted, and shows each step before its scripted signature', async () => {
  const at = await place([])
  const { code, screen } = await runOnTerminal(['--rehearse'], at, [])
  const rows = rowsOf(screen)
  expect(code).toBe(0)
  expect(rows.join('\n').replaceAll('\n   : ', '')).toContain('a script plays the model and the user')
  const first = rows.findIndex((row) => row.startsWith('/: '))
  const shown = rows.findIndex((row) => /^ {3}write src\/day\.js \(\+\d+ -\d+\):$/.test(row))
  const refused = rows.findIndex((row) => row.startsWith('/- Refused: Keep it small'))
  expect([first, shown, refused].toSorted((a, b) => a - b)).toEqual([first, shown, refused])
  expect(first).toBeGreaterThan(0)
  expect(rows.slice(shown, refused).filter((row) => row.startsWith('   | -')).length).toBeGreaterThan(0)
  expect(screen).not.toMatch(/You refused|Changes/)
}, 60_000)

describe('how the question can be answered', () => {
  test('y signs, n and an empty line refuse, and any other text refuses with that text as a message to the agent', async () => {
    const [yes, no, nothing, message] = ['yes', 'no', 'nothing', 'message'].map((name) =>
      calls(call('shell', { command: `echo ran > ${name}` })),
    )
    if (!yes || !no || !nothing || !message) throw new Error('four are needed')
    const at = await place([yes, no, nothing, message, say('All said.')])
    const { code } = await runOnTerminal(['Do it'], at, [
      { when: ASKED, type: 'y\r' },
      { when: ASKED, type: 'n\r' },
      { when: ASKED, type: '\r' },
      { when: ASKED, type: 'Use a branch.\r' },
    ])
    expect(code).toBe(0)
    const refused = { kind: 'refused', note: null, by: 'person' }
    expect(await answersIn(at.data)).toEqual([{ kind: 'signed' }, refused, refused, { ...refused, note: 'Use a branch.' }])
    expect(await readdir(at.cwd)).toEqual(['yes'])
    expect(await asked(at.model, 4)).toContain('Use a branch.')
  })

  test('text typed before the question appeared is not an answer', async () => {
    const at = await place([COMMAND, say('All said.')])
    await mkdir(join(at.cwd, 'sub'))
    await runOnTerminal(['Do it'], at, [{ when: ASKED, type: 'n\r' }], (type) => type('y\ry'))
    expect(await answersIn(at.data)).toEqual([{ kind: 'refused', note: null, by: 'person' }])
  })

  test('after Ctrl+D every request is refused, and the agent gets the reason', async () => {
    const at = await place([
      calls(call('shell', { command: 'touch 1' }), call('shell', { command: 'touch 2' })),
      calls(call('shell', { command: 'touch 3' })),
      say('Then not.'),
    ])
    const { code, screen } = await runOnTerminal(['--sandbox', 'off', 'Do it'], at, [{ when: ASKED, type: '\u0004' }])
    expect({ code, stack: /\n\s+at .*:\d+/.test(screen) }).toEqual({ code: 0, stack: false })
    const note = expect.stringMatching(/closed the terminal's input \(Ctrl\+D\)/) as string
    expect(await answersIn(at.data)).toEqual(Array.from({ length: 3 }, () => ({ kind: 'refused', note, by: 'flag' })))
    expect((await asked(at.model, 1)).match(/Ctrl\+D/g)).toHaveLength(2)
    expect((await asked(at.model, 2)).match(/Ctrl\+D/g)).toHaveLength(3)
  })

  test('Ctrl+C at the question stops the turn without running anything', async () => {
    const at = await place([COMMAND, say('All said.')])
    await mkdir(join(at.cwd, 'sub'))
    const { code, screen } = await runOnTerminal(['Do it'], at, [{ when: ASKED, type: '\u0003' }])
    expect({ code, stack: /\n\s+at .*:\d+/.test(screen) }).toEqual({ code: 1, stack: false })
    expect(screen).toContain('   Stopped.\r\n')
    const events = await storedEvents(at.data)
    expect(events.at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
    expect(kept(events, 'APPROVAL_ANSWERED').map(({ answer }) => answer)).toEqual([{ kind: 'withdrawn', why: 'stopped' }])
    expect(kept(events, 'TOOL_EXECUTION_START')).toEqual([])
    expect(at.model.requests).toHaveLength(1)
    expect(await processesNaming(at.data)).toEqual([])
  })

  test('Ctrl+C while a command runs ends the command and its children', async () => {
    const { port, told } = await listening()
    const command = `sleep 1000 & exec 3<>/dev/tcp/127.0.0.1/${port}; echo "$$ $!" >&3; wait`
    const at = await place([calls(call('shell', { command, timeout_ms: 600_000 })), say('All said.')])
    let pids: readonly number[] = []
    const { code } = await runOnTerminal(['--sandbox', 'off', 'Do it'], at, [{ when: 'Sign it? ', type: 'yes\r' }], (type) => {
      void told.then((words) => {
        pids = words.trim().split(' ').map(Number)
        type('\u0003')
      })
    })
    expect(code).toBe(1)
    expect(pids).toHaveLength(2)
    expect(pids.filter(isAlive)).toEqual([])
    const events = await storedEvents(at.data)
    expect(kept(events, 'TOOL_CALL_END').map(({ outcome }) => outcome)).toEqual(['stopped'])
    expect(events.at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
  })
})

/** Returns the command lines of all processes in which the path of a folder occurs. Always empty on systems other than Linux. */
async function processesNaming(folder: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

/** Whether the process still runs. A zombie does not count. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

/** Listens on a port. `told` resolves with the first data that anybody sends to it. */
async function listening() {
  const { promise: told, resolve } = Promise.withResolvers<string>()
  const server = createServer((socket) => socket.on('error', () => {}).once('data', (data: Buffer) => resolve(data.toString())))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, told }
}
