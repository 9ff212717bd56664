import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const MARK = 'FAKE_POD'

/** The files and processes of a pod: a view of this machine's programs, with folders of its own. */
export interface FakePod {
  /** Starts a program in the pod. */
  start(argv: readonly string[]): ChildProcess
  /** Kills everything that runs in the pod. */
  kill(): void
  /** Kills everything that runs in the pod, and removes its files. */
  close(): void
}

/** Makes the folders of a pod below `base`. `claim`: the folder of its volume claim. If absent, the pod's workspaces are its own. */
export function fakePod(base: string, name: string, claim?: string): FakePod {
  const root = join(base, name)
  const workspaces = claim ?? join(root, 'workspaces')
  for (const folder of [workspaces, join(root, 'tmp'), join(root, 'root')]) mkdirSync(folder, { recursive: true })
  const mark = `${base}/${name}`
  const links = ['bin', 'sbin', 'lib', 'lib64'].map((link) => `--symlink usr/${link} /${link}`)
  const files = ['passwd', 'group', 'ld.so.cache'].map((file) => `--ro-bind-try /etc/${file} /etc/${file}`)
  const options = [
    '--ro-bind /usr /usr',
    ...links,
    ...files,
    '--bind /proc /proc',
    '--dev /dev',
    `--bind ${join(root, 'tmp')} /tmp`,
    `--bind ${join(root, 'root')} /root`,
    `--bind ${workspaces} /workspaces`,
    // This Node is new enough, so none is installed in the pod.
    `--ro-bind ${process.execPath} /opt/node`,
    '--clearenv',
    '--setenv HOME /root',
    '--setenv PATH /opt:/usr/local/bin:/usr/bin:/bin',
    `--setenv ${MARK} ${mark}`,
  ]
  const view = options.flatMap((option) => option.split(' '))
  const kill = (): void => {
    for (const pid of processesOf(mark)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended in the meantime.
      }
    }
  }
  return {
    start: (argv) => spawn('bwrap', [...view, '--', ...argv], { stdio: ['pipe', 'pipe', 'pipe'] }),
    kill,
    close() {
      kill()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The processes of a pod, which all inherit a variable. As with a real kubelet, those whose parent has ended are included. */
function processesOf(mark: string): readonly number[] {
  const isOne = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && isOne(name))
    .map(Number)
}
