import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, readlinkSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ExecResult, RunningTerminal } from '../../../main/agent/ports/execution-environment.ts'
import { hasNoCopies, openCopies, processesWith, treeOf } from './support.ts'

const kindsOf = (changes: readonly { readonly kind: string; readonly path: string }[]): readonly string[] =>
  changes.map(({ kind, path }) => `${kind} ${path}`)

/** Runs mount commands with `base` as `$0`, then returns what another process reports about copies of `project` kept in `data`. */
const supportAfter = (mounts: string, base: string): unknown =>
  JSON.parse(afterMounts(mounts, base, 'JSON.stringify(await copies.support())'))

/** Like `supportAfter`, for any expression that uses `copies`. Returns its printed value. */
function afterMounts(mounts: string, base: string, expression: string): string {
  const script = join(base, 'script.ts')
  const source = JSON.stringify(new URL('../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)
  const places = JSON.stringify({ folder: join(base, 'project'), layers: join(base, 'data') })
  writeFileSync(
    script,
    `import { createLocalCommandCopies } from ${source}
     const copies = createLocalCommandCopies(${places})
     console.log(${expression})
     await copies.cleanup()`,
  )
  const inNamespace = ['bash', '-c', `${mounts} && exec "$1" "$2"`, base, process.execPath, script]
  return execFileSync('bash', ['-c', 'exec unshare -Urm "$@"', 'bash', ...inNamespace], { encoding: 'utf8' })
}

describe.skipIf(hasNoCopies)('a command in a copy', () => {
  // A machine where bubblewrap is installed but fails must not count as a machine without support: there, this test and the others must
  // fail.
  it('is possible on a machine that has the required programs', async () => {
    const { copies } = openCopies()
    expect(await copies.support()).toEqual({ kind: 'present' })
  })

  it.each([
    ['bwrap', 'The program bwrap is not installed.', 'Type: sudo apt-get install bubblewrap'],
    ['tar', 'The program tar is not installed.', 'Type: sudo apt-get install tar'],
  ])('is not possible without %s, and the reason includes the command to type', async (missing, reason, wayOut) => {
    const { copies, base } = openCopies()
    const bin = join(base, 'bin')
    mkdirSync(bin)
    for (const name of ['bwrap', 'tar', 'unshare', 'bash', 'socat'].filter((name) => name !== missing))
      symlinkSync(execFileSync('bash', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name))
    const path = process.env['PATH'] ?? ''
    process.env['PATH'] = bin
    onTestFinished(() => void (process.env['PATH'] = path))
    expect(await copies.support()).toEqual({ kind: 'absent', reason, wayOut })
  })

  it('is not possible if something is mounted inside the folder, and the reason says what helps', () => {
    const { base, folder } = openCopies({ 'node modules/x': '' })
    expect(supportAfter(`mount -t tmpfs tmpfs "$0/project/node modules"`, base)).toEqual({
      kind: 'absent',
      reason: `Another file system is mounted inside the folder, at ${folder}/node modules, and a copy cannot cover that.`,
      wayOut: expect.stringContaining('Unmount it'),
    })
  })

  it('runs where parts of /proc are covered, as in a container, and cannot read the variables or files of processes outside', () => {
    const { base } = openCopies()
    const command = 'cat /proc/self/comm; cat /proc/PID/environ; ls /proc/PID/cwd/; echo x > /proc/PID/cwd/escaped'
    const run = `(await copies.run('${command}'.replaceAll('PID', process.pid), {})).result`
    const { stdout, stderr } = JSON.parse(afterMounts('mount --bind /dev/null /proc/keys', base, `JSON.stringify(${run})`)) as ExecResult
    expect(stdout).toBe('cat\n')
    expect(stderr.match(/Permission denied/gu)).toHaveLength(3)
    const notes = `JSON.stringify((await copies.run('true', {})).notes)`
    expect(JSON.parse(afterMounts('mount --bind /dev/null /proc/keys', base, notes))).toEqual([])
  })

  const laid = (over: string, lower: string): string =>
    `mkdir up-${over} work-${over} && mount -t overlay overlay -o lowerdir=${lower},upperdir=up-${over},workdir=work-${over},userxattr ${over}`
  it.each([
    [
      'of the data folder',
      laid('data', 'empty'),
      (base: string) => `Copies of the folder are kept in ${base}/data, whose file system (overlay) cannot hold them.`,
      'Start Countersign with --data and a folder on a disk with ext4, xfs or btrfs (in a container: on a volume).',
    ],
    [
      'of the folder',
      `${laid('middle', 'empty')} && ${laid('project', 'middle')}`,
      (base: string) => `No copy of ${base}/project can be made, because its file system (overlay) does not allow it.`,
      'Move the project to a disk with ext4, xfs or btrfs.',
    ],
  ])('is not possible on the file system %s, and the reason says what helps', (_name, mounts, reason, wayOut) => {
    const { base } = openCopies()
    for (const name of ['data', 'empty', 'middle']) mkdirSync(join(base, name))
    expect(supportAfter(`cd "$0" && ${mounts}`, base)).toEqual({ kind: 'absent', reason: reason(base), wayOut })
  })

  it('returns output, errors and exit code', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run('echo out; echo err >&2; exit 3')
    expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 3, timedOut: false, aborted: false })
  })

  it('sees the folder at its real path, as the same user', async () => {
    const { copies, folder } = openCopies({ 'a.txt': 'a' })
    const { result } = await copies.run('pwd; id -u; id -g; cat a.txt')
    expect(result.stdout).toBe(`${folder}\n${process.getuid?.()}\n${process.getgid?.()}\na`)
  })

  it('changes nothing in the real folder', async () => {
    const { copies, folder } = openCopies({ 'a.txt': 'a', 'b/c.txt': 'c' })
    const before = treeOf(folder)
    await copies.run('echo new > a.txt; rm -r b; mkdir d; chmod 700 .; ln -s a.txt l')
    expect(treeOf(folder)).toEqual(before)
  })

  it('has an empty change set if it changes nothing', async () => {
    const { copies } = openCopies({ 'a.txt': 'a' })
    const { changeSet } = await copies.run('cat a.txt; : >> a.txt; echo x > /tmp/x; ls')
    expect(changeSet).toEqual({ changes: [], obstacles: [], leftOut: [] })
  })

  it('has a terminal with live output, typing and job control', async () => {
    const { copies } = openCopies()
    let terminal: RunningTerminal | undefined
    const seen = Promise.withResolvers<void>()
    const running = copies.run(
      'test -t 1 && test -e /dev/tty && set -m && echo ready && read line && echo "got $line" && : > /dev/tty && echo tty',
      {
        terminal: { columns: 80, rows: 24, onOpen: (opened) => (terminal = opened) },
        onOutput: ({ text }) => text.includes('ready') && seen.resolve(),
      },
    )
    await seen.promise
    terminal?.write('word\n')
    const { result } = await running
    expect(result.stdout).toMatch(/ready\n[^]*got word\ntty/)
    expect(result.exitCode).toBe(0)
  })

  it('is ended at the time limit, as is everything that it started, even through setsid or nohup', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run('setsid sleep 4711 & nohup sleep 4712 & (trap "" TERM; sleep 4713) & sleep 4714', {
      timeoutMs: 500,
    })
    expect(result.timedOut).toBe(true)
    expect(processesWith('sleep\x00471')).toEqual([])
  })

  it('finds the programs on PATH, even those in the temporary folder, which hides `data` outside /tmp', async () => {
    const { copies, base } = openCopies()
    const bin = join(base, 'tools', 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'our-tool'), '#!/bin/sh\necho from the tool\n', { mode: 0o755 })
    writeFileSync(join(base, 'secret'), 'secret')
    vi.stubEnv('PATH', `${process.env['PATH'] ?? ''}:${bin}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { result } = await copies.run(`our-tool; ls ${base}`)
    expect(result.stdout.replace('data\n', '')).toBe('from the tool\nproject\ntools\n')
  })

  it('ends its background processes', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run('setsid sleep 4721 >/dev/null 2>&1 & echo done')
    expect(result).toMatchObject({ stdout: 'done\n', exitCode: 0 })
    expect(processesWith('sleep\x00472')).toEqual([])
  })

  it('has not ended until its last process has ended, so nothing is missing from its change set', async () => {
    const { copies } = openCopies({ a: '1' })
    for (let round = 0; round < 5; round++) {
      const ended = await copies.run('for i in {1..60}; do setsid sleep 4722 >/dev/null 2>&1 & done; echo done')
      expect(processesWith('sleep\x004722')).toEqual([])
      await ended.drop()
    }
  })

  it('ends if aborted', async () => {
    const { copies } = openCopies()
    const abort = new AbortController()
    const { result } = await copies.run('echo here; sleep 4731', { signal: abort.signal, onOutput: () => abort.abort() })
    expect(result).toMatchObject({ aborted: true, stdout: 'here\n' })
    expect(processesWith('sleep\x00473')).toEqual([])
  })

  it('is stopped with a message if it writes more than allowed', async () => {
    const { copies, folder } = openCopies({ a: '1' })
    const before = treeOf(folder)
    const maxBytes = 5 * 1024 ** 2
    const ended = await copies.run('echo 2 > a; while head -c 1000000 /dev/zero >> big; do sleep 0.02; done', {
      maxBytes,
      timeoutMs: 60_000,
    })
    expect(ended.stopped).toMatch(
      /^The command was stopped: it wrote more than 5 MB into its copy of the folder( and \/tmp)?\. Files that git ignores do not count\.$/u,
    )
    expect(ended.changeSet.obstacles).toEqual([
      { kind: 'stopped', reason: ended.stopped },
      { kind: 'too-many-bytes', limit: maxBytes },
    ])
    expect(await ended.apply()).toEqual({ kind: 'refused', reason: `Nothing was applied. ${ended.stopped}`, path: null })
    expect(treeOf(folder)).toEqual(before)
  })

  it.each(['a, b:c', 'with "quotes" and \\', "it's $(here)", 'line\nbreak', '-dash', 'ünï 漢', 'upperdir=x,userxattr'])(
    'runs in a folder named %j',
    async (name) => {
      const { copies, folder } = openCopies({ [`${name}/f`]: 'f' })
      const { createLocalCommandCopies } = await import('../../../main/environment/copy/local-command-copies.ts')
      const inner = createLocalCommandCopies({ folder: join(folder, name), layers: join(folder, '..', 'layers') })
      const ended = await inner.run('cat f; echo new > g')
      expect(ended.result.stdout).toBe('f')
      expect(await ended.apply()).toEqual({ kind: 'applied' })
      expect(readFileSync(join(folder, name, 'g'), 'utf8')).toBe('new\n')
      await copies.cleanup()
    },
  )
})

describe.skipIf(hasNoCopies)('its change set', () => {
  it('lists what was created, modified and deleted, with modes, links and folders', async () => {
    const { copies, folder } = openCopies({ 'mod.txt': '1', 'gone.txt': '2', 'tree/deep/x': '3', 'mode.sh': '4', 'same.txt': '5' })
    symlinkSync('mod.txt', join(folder, 'link'))
    utimesSync(join(folder, 'mode.sh'), 1, 1) // A time that same.txt cannot have.
    const { changeSet } = await copies.run(
      'echo 2 > mod.txt; rm gone.txt; rm -r tree; chmod 755 mode.sh; echo 5 > x; printf 5 > same.txt; touch -r mode.sh same.txt; mkdir -p n/m; echo n > n/m/f; ln -sf gone.txt link',
    )
    expect(kindsOf(changeSet.changes)).toEqual([
      'deleted gone.txt',
      'modified link',
      'modified mod.txt',
      'modified mode.sh',
      'created n',
      'created n/m',
      'created n/m/f',
      'modified same.txt',
      'deleted tree',
      'deleted tree/deep',
      'deleted tree/deep/x',
      'created x',
    ])
    const mode = changeSet.changes.find(({ path }) => path === 'mode.sh')
    expect(mode).toMatchObject({ before: { mode: 0o644 }, after: { mode: 0o755 } })
    expect(changeSet.changes.find(({ path }) => path === 'link')).toMatchObject({ after: { kind: 'link', target: 'gone.txt' } })
  })

  it('shows a moved file as moved', async () => {
    const { copies } = openCopies({ 'old.txt': 'some bytes' })
    const { changeSet } = await copies.run('mkdir to; mv old.txt to/new.txt')
    expect(changeSet.changes.find(({ path }) => path === 'to/new.txt')).toMatchObject({ kind: 'created', movedFrom: 'old.txt' })
  })

  it('distinguishes a replaced folder from a changed folder', async () => {
    const { copies } = openCopies({ 'a b/keep': '1', 'a b/inner/x': '2', 'ü/keep': '1' })
    const { changeSet } = await copies.run('rm -r "a b" ü; mkdir -p "a b/inner" ü; echo new > "a b/new"; printf 2 > "a b/inner/y"')
    expect(kindsOf(changeSet.changes)).toEqual([
      ...['created a b/inner/y', 'deleted a b/inner/x', 'deleted a b/keep', 'created a b/new', 'deleted ü/keep'].toSorted((a, b) =>
        a.split(' ').slice(1).join(' ') < b.split(' ').slice(1).join(' ') ? -1 : 1,
      ),
    ])
  })

  it('can replace a folder with a file, and a file or a link with a folder', async () => {
    const { copies, folder } = openCopies({ 'd/x': '1', f: '2' })
    symlinkSync('/etc', join(folder, 'l'))
    const { changeSet } = await copies.run('rm -r d; echo f > d; rm f; mkdir f; echo x > f/x; rm l; mkdir l; echo mine > l/passwd')
    expect(kindsOf(changeSet.changes)).toEqual([
      'deleted d',
      'created d',
      'deleted d/x',
      'deleted f',
      'created f',
      'created f/x',
      'deleted l',
      'created l',
      'created l/passwd',
    ])
  })

  it('leaves out sockets, fifos and set-id bits, and lists what it left out', async () => {
    const { copies, folder } = openCopies()
    const ended = await copies.run(
      'mkfifo p; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'s\')"; echo x > u; chmod 4755 u',
    )
    expect(ended.changeSet.leftOut).toEqual([
      { path: 'p', what: 'fifo' },
      { path: 's', what: 'socket' },
      { path: 'u', what: 'set-id-bits' },
    ])
    await ended.apply()
    expect(readdirSync(folder)).toEqual(['u'])
    expect(statSync(join(folder, 'u')).mode & 0o7777).toBe(0o755)
  })

  it('cannot be applied if it contains a name that is not UTF-8, which is reported as an obstacle', async () => {
    const { copies, folder } = openCopies()
    const ended = await copies.run("echo x > $'bad\\xff'")
    expect(ended.changeSet.obstacles).toMatchObject([{ kind: 'unreadable-name' }])
    expect(await ended.apply()).toMatchObject({ kind: 'refused' })
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(['mv l m', 'ln -sf there l'])(
    'cannot be applied if it replaces a link whose target is not UTF-8, and the real link stays: %s',
    async (command) => {
      const { copies, folder } = openCopies()
      const target = Buffer.from([0x61, 0xff])
      symlinkSync(target, join(folder, 'l'))
      const ended = await copies.run(command)
      expect(ended.changeSet.obstacles).toContainEqual({ kind: 'unreadable-link', path: 'l' })
      expect(await ended.apply()).toMatchObject({ kind: 'refused' })
      expect(readlinkSync(join(folder, 'l'), 'buffer')).toEqual(target)
    },
  )

  it('returns the new bytes of a file', async () => {
    const { copies } = openCopies({ a: 'old' })
    const ended = await copies.run('printf new > a')
    expect(Buffer.from(await ended.bytes('a')).toString()).toBe('new')
  })
})
