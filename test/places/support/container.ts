import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096', '--network', 'none'] as const

export interface TestContainer {
  readonly name: string
  /** A folder of the container that is also the folder `folder` of this machine. */
  readonly inside: string
  readonly folder: string
  close(): void
}

const isRoot = process.getuid?.() === 0

/**
 * Starts a container with this machine's own programs. For root, it is a throw-away view of this machine, so that no image is needed. Others
 * may not mount that, and get an almost empty image. Its storage is a folder of its own, which `podman` finds by variables of this process.
 */
export function startContainer(): TestContainer {
  const base = ownPodman(isRoot ? '' : IMAGE_SETTINGS)
  const at = (name: string): string => join(base, name)
  execFileSync('mkdir', [at('work')])
  const name = `places-${process.pid}`
  const close = (): void => {
    spawnSync('podman', ['rm', '-f', '-t', '0', name])
    rmSync(base, { recursive: true, force: true })
  }
  const run = spawnSync(
    'podman',
    [
      'run',
      '-d',
      '--name',
      name,
      ...LIMITS,
      '-v',
      `${at('work')}:/mnt`,
      ...(isRoot ? ['--rootfs', '/:O'] : [importImage(base)]),
      'sleep',
      'infinity',
    ],
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

/** Gives `podman` its own storage in a new folder, with variables of this process. `settings`: lines for its `[containers]` section. */
function ownPodman(settings: string): string {
  const base = realpathSync(mkdtempSync('/var/tmp/podman-'))
  const at = (name: string): string => join(base, name)
  writeFileSync(at('storage.conf'), `[storage]\ndriver = "vfs"\ngraphroot = "${at('root')}"\nrunroot = "${at('run')}"\n`)
  const engine = '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
  writeFileSync(at('containers.conf'), `${engine}[containers]\n${settings}`)
  process.env['CONTAINERS_STORAGE_CONF'] = at('storage.conf')
  process.env['CONTAINERS_CONF'] = at('containers.conf')
  return base
}

/** An image that needs no registry. */
export interface TestImage {
  readonly name: string
  /** The names of the running containers. */
  running(): readonly string[]
  /** The name of each volume, and the folder that its label names. */
  volumes(): readonly (readonly string[])[]
  close(): void
}

const LINKS = ['bin', 'sbin', 'lib', 'lib64']
const IMAGE_SETTINGS = `volumes = ["/usr:/usr:ro"]\nnetns = "none"\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n`

/** Makes an almost empty image, and returns its name. Its containers see the programs of this machine, which `IMAGE_SETTINGS` mount. */
function importImage(base: string): string {
  const root = join(base, 'image')
  for (const folder of ['usr', 'etc', 'tmp', 'root', 'var/tmp']) mkdirSync(join(root, folder), { recursive: true })
  for (const link of LINKS) symlinkSync(`usr/${link}`, join(root, link))
  for (const file of ['passwd', 'group', 'ld.so.cache']) copyFileSync(`/etc/${file}`, join(root, 'etc', file))
  const tar = join(base, 'image.tar')
  execFileSync('tar', ['-C', root, '-cf', tar, '.'])
  const name = 'localhost/countersign-test:1'
  execFileSync('podman', ['import', tar, name], { stdio: 'ignore' })
  return name
}

export function makeImage(): TestImage {
  const base = ownPodman(IMAGE_SETTINGS)
  const name = importImage(base)
  const podman = (...args: readonly string[]): string => spawnSync('podman', [...args], { encoding: 'utf8' }).stdout
  const running = (): readonly string[] => podman('ps', '--format', '{{.Names}}').split('\n').filter(Boolean)
  return {
    name,
    running,
    volumes: () =>
      podman('volume', 'ls', '--format', '{{.Name}} {{index .Labels "countersign/folder"}}')
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ')),
    close() {
      for (const one of running()) podman('rm', '-f', '-t', '0', one)
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Why no container can be started here. Null if one can. */
export const whyNoContainer: string | null = whyNot()
if (whyNoContainer !== null) process.stderr.write(`Skipped: ${whyNoContainer}\n`)

function whyNot(): string | null {
  if (!existsSync('/usr/bin/podman') || !existsSync('/usr/sbin/runc')) return 'no podman with runc was found (Debian: podman, runc)'
  try {
    startContainer().close()
    return null
  } catch (error) {
    return `podman cannot start a container: ${String(error)}`
  }
}
