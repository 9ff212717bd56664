import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { build } from '../../../main/bootstrap/build.mjs'
import { ROOT, runtimeNode } from '../../../main/bootstrap/places.mjs'
import { codeOf } from '../../../main/environment/environment-failure.ts'

const SSHD = '/usr/sbin/sshd'

/** Why no ssh server can be started here. Null if one can. */
export const whyNoSshServer: string | null = whyNot()
if (whyNoSshServer !== null) process.stderr.write(`Skipped: ${whyNoSshServer}\n`)

function whyNot(): string | null {
  if (!existsSync(SSHD) || !existsSync('/usr/bin/ssh')) return 'no ssh server was found (Debian: openssh-server)'
  const { shell, username } = userInfo()
  if (shell === null || /nologin|false/u.test(shell)) return `the user ${username} has no login shell`
  try {
    accessSync(SSHD, constants.X_OK)
    return null
  } catch {
    return `${SSHD} cannot be run`
  }
}

export interface SshServer {
  /** The name of the host in the configuration. */
  readonly host: string
  /** An ssh configuration in which it is the only host. */
  readonly config: string
  /** The home folder of the user there. */
  readonly home: string
  readonly folder: string
  /** Cuts all connections without a word. New ones can be made. */
  cut(): void
  /** Accepts no connection until `goOn`. Those that come meanwhile wait. */
  stop(): void
  goOn(): void
  /** Cuts all connections, and refuses new ones until `comeBack`. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

interface SshServerOptions {
  /** The `.bashrc` of the user. */
  readonly startFile?: string
  readonly knowsHost?: boolean
  /** The passphrase of the user's key. */
  readonly passphrase?: string
  /** An existing folder. Default: a new one. */
  readonly home?: string
}

/** Starts an ssh server on loopback, for the user who runs the tests, with a home folder of its own. */
export async function startSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const { startFile = '', knowsHost = true, passphrase = '' } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sshd-')))
  const at = (name: string): string => join(folder, name)
  const { home = at('home') } = options
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.bashrc'), startFile)
  const makeKey = (name: string, words: string) => execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', words, '-f', at(name)])
  makeKey('host', '')
  makeKey('user', passphrase)
  // sshd refuses to start without it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const port = await freePort()
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `PidFile ${at('pid')}`,
    `AuthorizedKeysFile ${at('user.pub')}`,
    'StrictModes no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'MaxStartups 100',
    `SetEnv HOME=${home}`,
  ]
  writeFileSync(at('sshd_config'), `${lines.join('\n')}\n`)
  const key = readFileSync(at('host.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
  writeFileSync(at('known'), knowsHost ? `[127.0.0.1]:${port} ${key}\n` : '')
  const config = [
    'Host box',
    '  HostName 127.0.0.1',
    `  Port ${port}`,
    `  User ${userInfo().username}`,
    `  IdentityFile ${at('user')}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${at('known')}`,
    '  GlobalKnownHostsFile /dev/null',
  ]
  writeFileSync(at('ssh_config'), `${config.join('\n')}\n`)
  const start = () => spawn(SSHD, ['-D', '-e', '-f', at('sshd_config')], { stdio: 'ignore' })
  let server = start()
  await listening(port)
  const cut = (): void => {
    // If the server is not root's, each connection has a second process.
    const first = childrenOf(server.pid ?? 0)
    const second = first.flatMap(childrenOf).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sshd:'))
    for (const pid of [...second, ...first]) killIfAlive(pid)
  }
  const goAway = async (): Promise<void> => {
    cut()
    const closed = once(server, 'close')
    server.kill('SIGKILL')
    await closed
  }
  return {
    host: 'box',
    config: at('ssh_config'),
    home,
    folder,
    cut,
    stop: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    goAway,
    async comeBack() {
      server = start()
      await listening(port)
    },
    async close() {
      if (server.signalCode === null) await goAway()
      // What goes on there without a connection would do so for ten minutes.
      for (const pid of processesOf(home)) killIfAlive(pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The end of one process of a connection may end the next one first. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** The processes that were started from this folder. */
const processesOf = (folder: string): readonly number[] => processesWhere((words) => words.startsWith(folder))

/** The processes with this folder in their arguments. */
export const processesNaming = (folder: string): readonly number[] => processesWhere((words) => words.includes(folder))

function processesWhere(fits: (words: string) => boolean): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name))
  return pids.map(Number).filter((pid) => {
    try {
      return fits(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    } catch {
      return false
    }
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function listening(port: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const tryIt = (): void => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', () => setTimeout(tryIt, 50))
  }
  tryIt()
  return promise
}

/** Builds what is put on other machines, unless the build is as new as the sources. */
export async function buildGuest(): Promise<void> {
  const failed = await build(ROOT, runtimeNode(ROOT) ?? process.execPath, ['main'])
  if (failed !== null) throw new Error(failed)
}
