import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096', '--network', 'none'] as const

export interface TestContainer {
  readonly name: string
  /** A folder of the container that is also the folder `folder` of this machine. */
  readonly inside: string
  readonly folder: string
  close(): void
}

/**
 * Starts a container that shows this machine's own programs in a throw-away view, so that no image is needed. Its storage is a folder of its
 * own, which `podman` finds by variables of this process.
 */
export function startContainer(): TestContainer {
  const base = realpathSync(mkdtempSync('/var/tmp/podman-'))
  const at = (name: string): string => join(base, name)
  writeFileSync(at('storage.conf'), `[storage]\ndriver = "vfs"\ngraphroot = "${at('root')}"\nrunroot = "${at('run')}"\n`)
  writeFileSync(at('containers.conf'), '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n')
  process.env['CONTAINERS_STORAGE_CONF'] = at('storage.conf')
  process.env['CONTAINERS_CONF'] = at('containers.conf')
  execFileSync('mkdir', [at('work')])
  const name = `places-${process.pid}`
  const close = (): void => {
    spawnSync('podman', ['rm', '-f', '-t', '0', name])
    rmSync(base, { recursive: true, force: true })
  }
  const run = spawnSync(
    'podman',
    ['run', '-d', '--name', name, ...LIMITS, '-v', `${at('work')}:/mnt`, '--rootfs', '/:O', 'sleep', 'infinity'],
    {
      encoding: 'utf8',
    },
  )
  if (run.status !== 0) {
    close()
    throw new Error(run.stderr)
  }
  return { name, inside: '/mnt', folder: at('work'), close }
}

/** Why no container can be started here. Null if one can. */
export const whyNoContainer: string | null = whyNot()
if (whyNoContainer !== null) process.stderr.write(`Skipped: ${whyNoContainer}\n`)

function whyNot(): string | null {
  if (!existsSync('/usr/bin/podman') || !existsSync('/usr/sbin/runc')) return 'no podman with runc was found (Debian: podman, runc)'
  if (process.getuid?.() !== 0) return 'only root mounts this machine’s own files into a container'
  try {
    startContainer().close()
    return null
  } catch (error) {
    return `podman cannot start a container: ${String(error)}`
  }
}
