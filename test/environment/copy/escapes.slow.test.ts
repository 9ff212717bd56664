import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mayMapEverybody } from '../../../main/environment/copy/start/namespaces.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { hasNoCopies, openCopies, treeOf, ownHome } from './support.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const isRoot = process.geteuid?.() === 0

/** Creates a secret outside the folder that no copy may change or read. */
function outside() {
  const folder = temporaryFolder('outside')
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'TOP-SECRET')
  return { folder, secret }
}

describe.skipIf(hasNoCopies)('a command cannot escape from its copy', () => {
  it.each([
    ['by writing to a path outside', (secret: string) => `echo x > ${secret}`],
    ['through /proc/1/root', (secret: string) => `cat /proc/1/root${secret}; echo x > /proc/1/root${secret}`],
    [
      'through the root folder of its parent process',
      (secret: string) => `cat /proc/$PPID/root${secret}; cat /proc/$PPID/cwd/../../secret`,
    ],
    [
      'with nsenter',
      (secret: string) => `nsenter -t 1 -m -U cat ${secret}; for n in /proc/*/ns/mnt; do nsenter --mount=$n cat ${secret}; done`,
    ],
    ['by removing a mount', (secret: string) => `umount /tmp; umount -l /tmp; umount -a; cat ${secret}`],
    [
      'by remounting as writable',
      (secret: string) => `mount -o remount,rw,bind /; mount -o remount,rw /; echo x > /usr/escaped; echo x > ${secret}`,
    ],
    [
      'with its own user namespace',
      (secret: string) =>
        `unshare -Urm bash -c 'umount /tmp; umount -l /tmp; mount -o remount,rw,bind /; echo x > /usr/escaped; cat ${secret}'`,
    ],
    [
      'with bubblewrap inside the copy',
      (secret: string) => `bwrap --bind / / --dev /dev -- bash -c 'cat ${secret}; echo x > /usr/escaped'`,
    ],
    ['with chroot', (secret: string) => `unshare -Ur chroot /proc/1/root cat ${secret}`],
    [
      'through device nodes',
      (secret: string) => `mknod disk b 254 0; head -c 1 disk; ls /dev | grep -E '^(vda|sda|nvme|mem|kmsg)'; cat ${secret}`,
    ],
    ['through a link out of the folder', (secret: string) => `ln -s ${secret} l; cat l; echo x > l`],
    ['through a hard link', (secret: string) => `ln ${secret} h; cat h; ln /etc/passwd p`],
    ['through the layer of the copy', (secret: string) => `cat ../data/copies/*/arguments; ls ../data; cat ${secret}`],
  ])('%s', async (_name, attack) => {
    const { secret, folder: around } = outside()
    const { copies, folder, base } = openCopies({ a: '1' })
    const before = { ...treeOf(around), ...treeOf(folder) }
    const { result } = await copies.run(attack(secret), { timeoutMs: 30_000 })
    expect(`${result.stdout}${result.stderr}`).not.toContain('TOP-SECRET')
    expect(`${result.stdout}`).not.toMatch(/--ro-bind|^(vda|sda|nvme|mem|kmsg)/m)
    expect({ ...treeOf(around), ...treeOf(folder) }).toEqual(before)
    expect([existsSync('/usr/escaped'), existsSync(join(base, 'escaped'))]).toEqual([false, false])
  })

  it('through an inherited descriptor', async () => {
    const { secret } = outside()
    const { copies } = openCopies()
    const held = [openSync(secret, 'r+'), openSync(secret, 'r+')]
    onTestFinished(() => held.forEach(closeSync))
    const { result } = await copies.run(
      'ls /proc/self/fd; for fd in /proc/$$/fd/*; do echo x >&${fd##*/}; done 2>/dev/null; readlink /proc/$$/fd/*',
    )
    expect(result.stdout).not.toContain(secret)
    expect(result.stdout.split('\n').filter((line) => /^\d+$/.test(line))).toEqual(['0', '1', '2', '3'])
    expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET')
  })

  it('through a descriptor of the parent process that is not closed on exec', async () => {
    const { folder } = openCopies()
    const { secret } = outside()
    // Our code runs in another process that inherits open descriptors, as a program started from a shell may.
    const script = `
      import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)}
      const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(join(folder, '..', 'l'))} })
      const ended = await copies.run('readlink /proc/$$/fd/*; echo x >&9; echo x >&7')
      console.log(ended.result.stdout)
      await copies.cleanup()`
    const file = join(folder, '..', 'script.ts')
    writeFileSync(file, script)
    const shell = spawn('bash', ['-c', `exec 7<>${secret} 9<>${secret}; exec "$0" "$1"`, process.execPath, file])
    let text = ''
    shell.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await new Promise((resolve) => shell.once('close', resolve))
    expect(text).toContain('/dev/null')
    expect(text).not.toContain(secret)
    expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET')
  })

  it('through the terminal in which Countersign was started', () => {
    const { base, folder } = openCopies()
    const script = join(base, 'script.ts')
    const home = JSON.stringify(new URL('../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)
    writeFileSync(
      script,
      `import { openSync } from 'node:fs'
       import { createLocalCommandCopies } from ${home}
       openSync('/dev/tty', 'r+')
       const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(join(base, 'l'))} })
       const typed = 'import fcntl, termios; [fcntl.ioctl(open(p, "w"), termios.TIOCSTI, b"X") for p in ("/dev/tty",)]'
       const ended = await copies.run("tty; (: > /dev/tty) 2>&1; ls /dev/pts; python3 -c '" + typed + "' 2>&1 | tail -1")
       console.log(ended.result.stdout)
       await copies.cleanup()`,
    )
    const text = execFileSync('script', ['-qec', `'${process.execPath}' '${script}'`, '/dev/null'], { encoding: 'utf8' })
    expect(text).toMatch(/not a tty[^]*No such device or address[^]*ptmx\s+OSError/)
  })

  it('has no capabilities, except that root has those for changing other users’ files', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run(
      "grep -E '^Cap(Prm|Eff|Amb)|NoNewPrivs' /proc/self/status; /bin/bash -c 'grep CapEff /proc/self/status'",
    )
    // The mask 1b stands for the capabilities CHOWN, DAC_OVERRIDE, FOWNER and FSETID.
    const own = (await mayMapEverybody()) ? '000000000000001b' : '0000000000000000'
    const rows = ['CapPrm', 'CapEff', 'CapAmb'].map((name) => `${name}:\t${own}\n`).join('')
    expect(result.stdout).toBe(`${rows}NoNewPrivs:\t1\nCapEff:\t${own}\n`)
  })

  it.runIf(isRoot)('as root changes other users’ files only in the folder, and applied files keep their owner', async () => {
    const { copies, folder } = openCopies({ 'a.txt': '1', 'd/x': '1', 'gone.txt': '1' })
    const { folder: around, secret } = outside()
    for (const path of ['a.txt', 'd', 'd/x', 'gone.txt'].map((name) => join(folder, name))) chownSync(path, 4711, 4712)
    for (const path of [secret, around]) chownSync(path, 4711, 4712)
    chmodSync(join(folder, 'a.txt'), 0o600)
    const ended = await copies.run(
      `stat -c %u a.txt; echo 2 >> a.txt; mv gone.txt moved.txt; cp -p a.txt copied; echo n > d/new; mkdir e; chown 4713:4713 e; chown 1 d/x; echo x > ${secret}; chown 0 ${secret}; chown 1 /usr`,
    )
    expect(ended.result.stdout).toBe('4711\n')
    expect(ended.changeSet.leftOut).toEqual([{ path: 'd/x', what: 'owner' }])
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    const owner = (path: string): string => `${path} ${statSync(join(folder, path)).uid}:${statSync(join(folder, path)).gid}`
    expect(['a.txt', 'moved.txt', 'copied', 'd', 'd/x', 'd/new', 'e'].map(owner)).toEqual([
      'a.txt 4711:4712',
      'moved.txt 4711:4712',
      'copied 4711:4712',
      'd 4711:4712',
      'd/x 4711:4712',
      'd/new 0:0',
      'e 4713:4713',
    ])
    expect([readFileSync(secret, 'utf8'), statSync(secret).uid, statSync('/usr').uid]).toEqual(['TOP-SECRET', 4711, 0])
  })

  it('sees and signals no process outside the copy', async () => {
    const { copies } = openCopies()
    const other = spawn('sleep', ['4751'])
    onTestFinished(() => void other.kill('SIGKILL'))
    const { result } = await copies.run(`cat /proc/[0-9]*/cmdline | tr '\\0' ' '; kill -9 ${other.pid} ${process.pid}; kill -9 -1`)
    expect(result.stdout).not.toContain('4751')
    expect(other.exitCode ?? other.signalCode).toBeNull()
  })

  it('finds no secret variable, not even in the copy’s first process', async () => {
    const { copies } = openCopies()
    process.env['COPY_TEST_API_KEY'] = 'sk-canary-1234567890abcdef'
    onTestFinished(() => void Reflect.deleteProperty(process.env, 'COPY_TEST_API_KEY'))
    const { result } = await copies.run("env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; cat /proc/[0-9]*/cmdline")
    expect(result.stdout).toContain('PATH=')
    expect(result.stdout).not.toContain('canary')
    expect(result.stdout).not.toContain('SSH_AUTH_SOCK')
  })

  it('reaches no abstract socket, no socket in the folder or the home folder, and no port of this machine', async () => {
    const { copies, folder } = openCopies()
    let reached = 0
    const servers = await Promise.all(
      [join(folder, 's'), '\0copy-test-abstract', 0].map((at) => {
        const server = createServer((socket) => {
          reached += 1
          socket.end()
        })
        return new Promise<ReturnType<typeof createServer>>((resolve) => server.listen(at, () => resolve(server)))
      }),
    )
    onTestFinished(() => servers.forEach((server) => server.close()))
    const address = servers[2]?.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { result } = await copies.run(
      `socat -u OPEN:/etc/hostname UNIX-CONNECT:s; socat -u OPEN:/etc/hostname ABSTRACT-CONNECT:copy-test-abstract; echo x > /dev/tcp/127.0.0.1/${port}; ls /run /var/run/docker.sock /tmp/.X11-unix`,
    )
    expect([reached, result.stdout.trim()]).toEqual([0, '/run:\ncountersign-left'])
  })

  it('cannot trace a process outside the copy (ptrace)', async () => {
    const { copies } = openCopies()
    const other = spawn('sleep', ['4761'])
    onTestFinished(() => void other.kill('SIGKILL'))
    const attach = (pid: number | undefined): string =>
      `python3 -c 'import ctypes; l = ctypes.CDLL(None, use_errno=True); print(l.ptrace(16, ${pid}, 0, 0), ctypes.get_errno())'`
    const { result } = await copies.run(`${attach(other.pid)}; ${attach(process.pid)}`)
    // Error 3 is ESRCH: for the copy, there is no such process.
    expect(result.stdout).toBe('-1 3\n-1 3\n')
  })

  it('reaches neither the session’s nor the system’s D-Bus', async () => {
    const { copies, base } = openCopies()
    let reached = 0
    const bus = createServer((socket) => socket.end(() => (reached += 1)))
    await new Promise<void>((resolve) => bus.listen(join(base, 'bus'), () => resolve()))
    process.env['DBUS_SESSION_BUS_ADDRESS'] = `unix:path=${join(base, 'bus')}`
    onTestFinished(() => {
      Reflect.deleteProperty(process.env, 'DBUS_SESSION_BUS_ADDRESS')
      bus.close()
    })
    const { result } = await copies.run(
      `echo "[$DBUS_SESSION_BUS_ADDRESS]"; ls -d /run/dbus /run/user /var/run/dbus; socat -u OPEN:/etc/hostname UNIX-CONNECT:${join(base, 'bus')}`,
    )
    expect([result.stdout, reached]).toEqual(['[]\n', 0])
  })

  it('leaves no variable or startup file behind that programs outside would read (LD_PRELOAD, BASH_ENV)', async () => {
    const home = ownHome()
    const { copies, folder, base } = openCopies({ evil: `touch ${tmpdir()}/escaped-$$ ./escaped` })
    const poison =
      'export LD_PRELOAD=$PWD/evil.so BASH_ENV=$PWD/evil ENV=$PWD/evil; for f in ~/.bashrc ~/.profile ~/.bash_profile; do cp evil $f; done'
    const ended = await copies.run(poison, { state: { before: null } })
    await ended.apply()
    const env = createLocalExecutionEnvironment(folder)
    onTestFinished(() => env.cleanup())
    const { stdout } = await env.execCommand('env; ls -A ~')
    expect(stdout).not.toMatch(/^(?:LD_PRELOAD|BASH_ENV|ENV)=|\.bashrc/mu)
    const next = await copies.run('bash -c true; echo $BASH_ENV', { state: { before: ended.stateAfter } })
    expect(next.result.stdout).toBe('\n')
    await next.drop()
    expect([existsSync(join(folder, 'escaped')), existsSync(join(base, 'escaped')), treeOf(home)]).toEqual([false, false, {}])
  })

  it.runIf(['x64', 'arm64'].includes(process.arch))('neither reads nor changes the keyring of the user’s session', async () => {
    const { copies, folder } = openCopies()
    const [add, keyctl] = process.arch === 'x64' ? [248, 250] : [217, 219]
    // Looks for a key in the keyring of the session, and adds one to the process’s own keyring, which does no harm.
    const calls = [`syscall(${keyctl}, 10, -3, $type, $name, 0)`, `syscall(${add}, $type, $name, $name, 1, -2)`]
    const program = `perl -e '($type, $name) = ("user", "x"); for $call (1, 2) { $! = 0; print $call == 1 ? ${calls.join(' : ')}, " $!|" }'`
    const refused = '-1 Operation not permitted|'.repeat(2)
    expect((await copies.run(program)).result.stdout).toBe(refused)
    const confinement = await copies.confine()
    onTestFinished(() => confinement.close())
    const env = createLocalExecutionEnvironment(folder)
    onTestFinished(() => env.cleanup())
    expect((await env.execCommand(program, { confinement })).stdout).toBe(refused)
  })

  it('gains nothing from set-uid programs', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run(
      'cp /bin/bash sbash; chmod 6755 sbash; ./sbash -p -c "id -u; cat /etc/shadow"; su -c id 2>&1; sudo -n id 2>&1',
    )
    expect(result.stdout).not.toContain('root:$')
    expect(result.stdout.split('\n')[0]).toBe(String(process.geteuid?.()))
  })

  it.runIf(isRoot)('as root changes no setting of the kernel', async () => {
    const { copies } = openCopies()
    // The value is written unchanged, so a failing test harms nothing.
    const write = 'for name in kernel/core_pattern vm/swappiness; do cd /proc/sys; (cat $name >$name) 2>/dev/null && echo $name; done'
    const { result } = await copies.run(`${write}; [ -w /proc/sys/kernel/core_pattern ] || echo read-only`)
    expect(result.stdout).toBe('read-only\n')
  })

  it.runIf(isRoot)('as root sees neither password hashes nor host keys', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run('cat /etc/shadow /etc/gshadow; ls /etc/ssh; ls /var/log')
    expect(
      result.stdout
        .trim()
        .split(/\s+/)
        .filter((word) => !word.endsWith(':')),
    ).toEqual([''])
  })

  it('finds the tools in the home folder, but neither secrets nor other projects, and its changes there are discarded', async () => {
    const home = ownHome()
    for (const path of [
      '.ssh',
      '.config/gh',
      '.config/git',
      '.cache/npm',
      '.cargo',
      '.fly/bin',
      '.local/share/fish',
      'other-project',
      'bin',
    ])
      mkdirSync(join(home, path), { recursive: true })
    const secrets = [
      '.ssh/id',
      '.netrc',
      '.npmrc',
      '.bash_history',
      '.env',
      '.config/gh/hosts.yml',
      '.cargo/credentials.toml',
      'other-project/f',
      '.git-credentials',
      '.fly/config.yml',
      '.local/share/fish/fish_history',
    ]
    for (const path of secrets) writeFileSync(join(home, path), 'TOP-SECRET')
    const shown = ['.gitconfig', '.config/git/ignore', '.cache/npm/x', '.cargo/config.toml', '.fly/bin/x']
    for (const path of shown) writeFileSync(join(home, path), 'shown')
    writeFileSync(join(home, 'bin', 'tool'), '#!/bin/sh\necho tool runs\n')
    chmodSync(join(home, 'bin', 'tool'), 0o755)
    const tree = treeOf(home)
    const { copies } = openCopies()
    const path = process.env['PATH'] ?? ''
    process.env['PATH'] = `${path}:${join(home, 'bin')}`
    onTestFinished(() => void (process.env['PATH'] = path))
    const { result, hidden } = await copies.run(
      `cd; cat ${secrets.join(' ')}; cat ${shown.join(' ')}; echo; echo x > .gitconfig && cat .gitconfig; mkdir .cache/new; rm -rf .config; echo x > .ssh/authorized_keys; tool`,
    )
    expect(result.stdout).toBe('shownshownshownshownshown\nx\ntool runs\n')
    expect(`${result.stdout}${result.stderr}`).not.toContain('TOP-SECRET')
    expect(treeOf(home)).toEqual(tree)
    const hiddenAtHome = [
      '.bash_history',
      '.cargo/credentials.toml',
      '.config/gh',
      '.env',
      '.fly/config.yml',
      '.git-credentials',
      '.local/share/fish/fish_history',
      '.netrc',
      '.npmrc',
      '.ssh',
      'other-project',
    ]
    expect(hidden.filter((place) => place.startsWith(home))).toEqual([...hiddenAtHome, 'bin'].map((name) => join(home, name)).toSorted())
  })

  it('deletes no files by forging overlay marks', async () => {
    const { copies, folder } = openCopies({ 'd/keep': '1', f: '2' })
    const ended = await copies.run(
      'touch d/x; setfattr -n user.overlay.opaque -v y d; setfattr -n user.overlay.whiteout -v y f; mknod w c 0 0; true',
    )
    expect(ended.changeSet.changes.filter(({ kind }) => kind === 'deleted')).toEqual([])
    await ended.apply()
    expect(readFileSync(join(folder, 'd', 'keep'), 'utf8')).toBe('1')
  })

  // The kernel does not apply the process limit to root, so as root a fork bomb would bring down the machine.
  it.skipIf(isRoot)('a fork bomb cannot exceed the process limit, and ends at the time limit', async () => {
    const { copies } = openCopies()
    const bounded = await copies.run('ulimit -u')
    expect(Number(bounded.result.stdout)).toBeLessThanOrEqual(4_096)
    const { result } = await copies.run('ulimit -u 50 || exit; b() { b | b & }; b; sleep 30', { timeoutMs: 1_000 })
    expect(result.exitCode === null || result.timedOut).toBe(true)
    expect((await copies.run('echo fine')).result.stdout).toBe('fine\n')
  })

  it('the temporary folders have a size limit', async () => {
    const { copies } = openCopies()
    const { result } = await copies.run(
      'df -B1 --output=size /tmp /dev/shm /run | tail -n +2; touch /dev/x /run/x 2>&1 | grep -c "Read-only"',
    )
    const [tmp, shm, run, refused] = result.stdout.trim().split(/\s+/).map(Number)
    expect([tmp, shm, refused]).toEqual([1024 ** 3, 1024 ** 3, 2])
    expect(run).toBeLessThanOrEqual(1024 ** 2)
  })
})
