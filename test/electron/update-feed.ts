import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { signatureOf } from '../../main/electron/updates/feed-signature.mjs'

/** An installed AppImage and a feed on loopback that offers another one. Both are shell scripts, which note that they were started. */
export interface UpdateFeed {
  readonly data: string
  readonly resources: string
  /** The AppImage from which the app runs. */
  readonly image: string
  /** Paths that were requested from the feed. */
  readonly requests: readonly string[]
  /** The version that the AppImage has now. */
  installed(): string
  /** The starts of the installed AppImage: `exit` if only its installation was to be finished, otherwise `run`. */
  starts(): readonly string[]
  stop(): Promise<void>
}

export interface FeedOptions {
  readonly offers?: string
  readonly signature?: 'right' | 'of another version' | 'missing'
  /** The file differs from the one whose hash is in the feed. */
  readonly isDamaged?: boolean
  /** The percent of installations that get the version. */
  readonly staging?: number
  /** True if the app runs from a Debian package. */
  readonly isPackage?: boolean
  /** The app's resources, to which the feed's address and key are added. Default: an empty folder. */
  readonly resources?: string
  /** Lines of a shell script that run when the AppImage of a version starts. */
  readonly runs?: (version: string) => string
}

export async function startUpdateFeed(options: FeedOptions): Promise<UpdateFeed> {
  const { offers = '9.0.0', signature = 'right', isDamaged = false, staging, isPackage, runs = () => '' } = options
  const base = mkdtempSync(join(tmpdir(), 'countersign-update-'))
  const resources = options.resources ?? join(base, 'resources')
  const data = join(base, 'data')
  mkdirSync(resources, { recursive: true })
  mkdirSync(data)
  const log = join(base, 'starts')
  writeFileSync(log, '')
  const program = (version: string): string =>
    `#!/bin/sh\n# version ${version}\nif [ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ]; then echo exit >> '${log}'; exit; fi\necho run >> '${log}'\n${runs(version)}\n`
  const image = join(base, 'Countersign.AppImage')
  writeFileSync(image, program('0.1.0'))
  chmodSync(image, 0o755)
  const content = program(offers)
  const sha512 = createHash('sha512').update(content).digest('base64')
  const files = [{ url: 'Countersign.AppImage', sha512, size: content.length }]
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const signed = signatureOf({ version: signature === 'right' ? offers : '0.0.9', files }, pem)
  const entry = {
    version: offers,
    files,
    path: 'Countersign.AppImage',
    sha512,
    releaseDate: '2026-11-29T12:00:00.000Z',
    ...(staging !== undefined && { stagingPercentage: staging }),
    ...(signature !== 'missing' && { signature: signed }),
  }
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    requests.push(path)
    if (/^\/latest-linux[\w-]*\.yml$/.test(path)) return void response.end(stringify(entry))
    if (path === '/Countersign.AppImage') return void response.end(isDamaged ? content.replace('exit', 'EXIT') : content)
    response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(join(resources, 'app-update.yml'), stringify({ provider: 'generic', url, updaterCacheDirName: 'countersign-updater' }))
  writeFileSync(join(resources, 'update-key.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  if (isPackage === true) writeFileSync(join(resources, 'package-type'), 'deb')
  const feed: UpdateFeed = {
    data,
    resources,
    image,
    requests,
    installed: () => /# version (\S+)/.exec(readFileSync(image, 'utf8'))?.[1] ?? '',
    starts: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return feed
}
