import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { LayerChanges } from '../../../main/agent/ports/layers.ts'
import { createOverlayLayers, type OverlayLayers } from '../../../main/environment/layers/overlay/overlay-layers.ts'
import { removeFolder } from '../../support/remove-folder.ts'
import { plant } from '../support.ts'

export const SESSION = SessionId.parse('ses_1')

/** Stores bytes in memory. */
export function memoryBlobs() {
  const stored = new Map<string, string>()
  return {
    put(bytes: Uint8Array): Promise<BlobHash> {
      const hash = BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))
      stored.set(hash, Buffer.from(bytes).toString())
      return Promise.resolve(hash)
    },
    text: (hash: BlobHash): string => stored.get(hash) ?? 'not stored',
  }
}

/** Makes a folder with files, and layers of it. All is removed when the test has ended. */
export function openOverlayLayers(files: Readonly<Record<string, string>> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')))
  const folder = join(base, 'project')
  mkdirSync(folder)
  plant(folder, files)
  const blobs = memoryBlobs()
  const create = (): OverlayLayers =>
    createOverlayLayers({
      folder,
      layers: join(base, 'data', 'layers'),
      frozen: join(base, 'data', 'frozen-layers'),
      hidden: [join(base, 'data')],
      missing: () => Promise.resolve(null),
      put: blobs.put,
    })
  const layers = create()
  onTestFinished(async () => {
    await layers.close()
    removeFolder(base)
  })
  return { base, folder, layers, blobs, up: join(base, 'data', 'layers', SESSION, 'up'), create }
}

/** The changes with the text of each file, as `base → own`. */
export function shown({ files }: LayerChanges, { text }: Pick<ReturnType<typeof memoryBlobs>, 'text'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.map(({ path, base, own }) => [path, `${base ? text(base.hash) : 'none'} → ${own ? text(own.hash) : 'none'}`]),
  )
}

const ENV = { PATH: '/usr/bin:/bin' }

/** Starts a bash in a layer that runs what it is asked, one line after the other. */
export async function openShell(layers: OverlayLayers, session = SESSION) {
  const running = await layers.start(session, ['bash', '--norc'], { env: ENV })
  let text = ''
  running.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  running.stderr.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  return {
    ...running,
    running,
    async ask(line: string): Promise<string> {
      text = ''
      running.stdin.write(`${line}\necho "[$?]"\n`)
      while (!/\[\d+\]\n$/u.test(text)) await Promise.race([once(running.stdout, 'data'), running.ended])
      return text.replace(/\[0\]\n$/u, '').trimEnd()
    },
  }
}
