import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
  /** The names of the volumes whose label names this folder. */
  volumesOf(folder: string): readonly string[]
  close(): void
}

const LINKS = ['bin', 'sbin', 'lib', 'lib64']
const LIMIT_SETTINGS = 'netns = "none"\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n'
const IMAGE_SETTINGS = `volumes = ["/usr:/usr:ro"]\n${LIMIT_SETTINGS}`

/** What an image has. By default, its containers see the programs of this machine, which `IMAGE_SETTINGS` mount. */
export interface ImageOptions {
  /** Lines for the `[containers]` section of podman's configuration. */
  readonly settings?: string
  /** Instructions of a Dockerfile, such as `USER dev`. */
  readonly changes?: readonly string[]
  /** Puts files into the image. */
  readonly fill?: (root: string) => void
}

/** This machine's programs without bash. */
export const WITHOUT_BASH: ImageOptions = { settings: `volumes = ["/usr:/usr:ro", "/dev/null:/usr/bin/bash:ro"]\n${LIMIT_SETTINGS}` }

const BUSYBOX = '/bin/busybox'
export const whyNoBusybox: string | null = existsSync(BUSYBOX) ? null : 'no busybox was found (Debian: busybox-static)'
if (whyNoBusybox !== null) process.stderr.write(`Skipped: ${whyNoBusybox}\n`)

/** Like Alpine: busybox, without bash and glibc. */
export const ONLY_BUSYBOX: ImageOptions = {
  settings: LIMIT_SETTINGS,
  fill(root) {
    mkdirSync(join(root, 'bin'))
    copyFileSync(BUSYBOX, join(root, 'bin/busybox'))
    for (const name of execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean))
      if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name))
  },
}

/** Makes an almost empty image, and returns its name. */
function importImage(base: string, { changes = [], fill = linkToUsr }: ImageOptions = {}): string {
  const root = join(base, 'image')
  for (const folder of ['usr', 'etc', 'tmp', 'root', 'var/tmp']) mkdirSync(join(root, folder), { recursive: true })
  // `mkdir` takes the mode from the umask.
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const file of ['passwd', 'group']) copyFileSync(`/etc/${file}`, join(root, 'etc', file))
  fill(root)
  const tar = join(base, 'image.tar')
  execFileSync('tar', ['-C', root, '-cf', tar, '.'])
  // The containers of an ordinary user are listed in all storages.
  const name = `localhost/countersign-test-${process.pid}:1`
  execFileSync('podman', ['import', ...changes.flatMap((change) => ['--change', change]), tar, name], { stdio: 'ignore' })
  return name
}

export function linkToUsr(root: string): void {
  for (const link of LINKS) symlinkSync(`usr/${link}`, join(root, link))
  copyFileSync('/etc/ld.so.cache', join(root, 'etc/ld.so.cache'))
}

export function makeImage(options: ImageOptions = {}): TestImage {
  const base = ownPodman(options.settings ?? IMAGE_SETTINGS)
  const name = importImage(base, options)
  const podman = (...args: readonly string[]): string => spawnSync('podman', [...args], { encoding: 'utf8' }).stdout
  const running = (): readonly string[] =>
    podman('ps', '--filter', `ancestor=${name}`, '--format', '{{.Names}}').split('\n').filter(Boolean)
  return {
    name,
    running,
    volumesOf: (folder) =>
      podman('volume', 'ls', '--filter', `label=countersign/folder=${folder}`, '--format', '{{.Name}}').split('\n').filter(Boolean),
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
