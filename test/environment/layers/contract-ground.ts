import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { LayerFile, Layers } from '../../../main/agent/ports/layers.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { createCloneLayers } from '../../../main/environment/layers/clone-layers.ts'
import { placesOf } from '../../../main/environment/layers/layer-places.ts'
import { durableLayerAt } from '../../../main/environment/layers/overlay/durable-layer.ts'
import { createOverlayLayers } from '../../../main/environment/layers/overlay/overlay-layers.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'

export type LayerKind = 'clone' | 'overlay'

export const ONE = SessionId.parse('one')
export const TWO = SessionId.parse('two')

type AnyLayers = Omit<Layers, 'open'>

export interface Ground {
  readonly folder: string
  readonly layers: AnyLayers
  /** The file of the first session's layer that contains the expected bases. */
  readonly expected: string
  /** The same layers, as another process would open them. */
  reopened(): AnyLayers
  /** Runs a script of bash in the layer of a session. */
  inside(script: string, session?: SessionId): Promise<string>
  /** Stores a file. */
  stored(text: string): Promise<LayerFile>
  /** What is not brought in, as `path kind`. */
  left(session?: SessionId): Promise<readonly string[]>
  /** The change set with the text of each file, as `base → own`. */
  changes(session?: SessionId, layers?: AnyLayers): Promise<Readonly<Record<string, string>>>
}

export const FILES = {
  a: 'A',
  b: 'B',
  'dir/one': '1',
  'dir/inner/two': '2',
  '.gitignore': '*.log\nnode_modules/\n',
  'old.log': 'log',
  '.git/HEAD': 'ref',
}

export function same(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) throw new Error(`${JSON.stringify(found)}\nis not\n${JSON.stringify(wanted)}`)
}

/** Makes a project and its layers below `base`. */
export function openGround(kind: LayerKind, base: string): Ground {
  const folder = join(base, 'project')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o644 })
  }
  const texts = new Map<string, string>()
  const put = (bytes: Uint8Array): Promise<BlobHash> => {
    const hash = BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))
    texts.set(hash, Buffer.from(bytes).toString())
    return Promise.resolve(hash)
  }
  const missing = (): Promise<null> => Promise.resolve(null)
  const data = join(base, 'data')
  const overlay = () =>
    createOverlayLayers({ folder, layers: join(data, 'layers'), frozen: join(data, 'frozen'), hidden: [data], missing, put })
  const get = (hash: BlobHash) => Promise.resolve(Buffer.from(texts.get(hash) ?? ''))
  const openTree = (tree: string) => ({
    environment: createLocalExecutionEnvironment(tree),
    copies: createLocalCommandCopies({ folder, source: tree, layers: join(data, 'command-copies') }),
  })
  const clone = () => createCloneLayers({ folder, layers: join(data, 'copies'), missing, put, get, openTree })
  const made = kind === 'clone' ? { layers: clone(), inside: inClone(join(data, 'copies')) } : withOverlay(overlay())
  const text = (file: LayerFile | null): string =>
    file === null ? 'none' : (file.mode === null ? 'link to ' : '') + (texts.get(file.hash) ?? 'not stored')
  return {
    folder,
    ...made,
    expected: (kind === 'clone' ? placesOf(join(data, 'copies'), ONE) : durableLayerAt(join(data, 'layers'), ONE)).expected,
    reopened: () => (kind === 'clone' ? clone() : overlay()),
    inside: (script, session = ONE) => made.inside(script, session),
    stored: async (text) => ({ hash: await put(Buffer.from(text)), size: text.length, mode: 0o644 }),
    async left(session = ONE) {
      const { leftOut = [] } = await made.layers.changes(session)
      return leftOut.map(({ path, what, isRemoved }) => `${path} ${isRemoved ? 'removed ' : ''}${what}`)
    },
    async changes(session = ONE, layers = made.layers) {
      const found = await layers.changes(session)
      same(found.folder, folder)
      return Object.fromEntries(found.files.map(({ path, base: was, own }) => [path, `${text(was)} → ${text(own)}`]))
    },
  }
}

const inClone =
  (copies: string) =>
  async (script: string, session: SessionId): Promise<string> =>
    (await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: placesOf(copies, session).tree })).stdout

function withOverlay(layers: ReturnType<typeof createOverlayLayers>) {
  return {
    layers,
    async inside(script: string, session: SessionId): Promise<string> {
      const running = await layers.start(session, ['bash', '--norc', '-c', script], { env: { PATH: '/usr/bin:/bin' } })
      const stdout = (await running.stdout.setEncoding('utf8').toArray()).join('')
      const stderr = (await running.stderr.setEncoding('utf8').toArray()).join('')
      if ((await running.ended) !== 0) throw new Error(`${script}: ${stderr}`)
      return stdout
    },
  }
}
