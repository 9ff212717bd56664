import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { NO_NOTES } from '../../../main/environment/crash-notes.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { createSessionLayers } from '../../../main/host-process/in-layer/session-layers.ts'

const PLAIN = {
  text: (text: string) => text,
  losesSecret: () => false,
  stream: (emit: (bytes: Buffer) => void) => ({ write: emit, end: () => {} }),
}
const SESSION = SessionId.parse('one')

/** Renames a folder of the project in a layer, and back. Needs no test runner, so that it can run as an ordinary user. */
export async function renamedInLayer(): Promise<object> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'renames-')))
  chmodSync(base, 0o755)
  const folder = join(base, 'project')
  const data = join(base, 'data')
  mkdirSync(join(folder, 'dir', 'inner', 'empty'), { recursive: true })
  writeFileSync(join(folder, 'dir', 'one'), '1')
  writeFileSync(join(folder, 'dir', 'inner', 'two'), '2')
  execFileSync('ln', ['-s', 'one', join(folder, 'dir', 'link')])
  const layers = createSessionLayers(folder, {
    hidden: [data],
    places: { layers: join(data, 'layers'), frozen: join(data, 'frozen') },
    blobs: {
      putInSlices: () => Promise.resolve(BlobHash.parse('0'.repeat(64))),
      getInSlices: () => Promise.reject(new Error('Nothing is read.')),
    },
    notes: NO_NOTES,
    redactor: PLAIN,
    visible: () => [],
    writable: () => [],
    allowVariables: () => [],
    denied: () => [],
    createCopies: (of, source) => createLocalCommandCopies({ folder: of, source, layers: join(data, 'copies') }),
  })
  try {
    await layers.make(SESSION, AbortSignal.timeout(60_000))
    const { environment: env } = await layers.open(SESSION)
    await env.writeFile('dir/own', 'own')
    await env.rename('dir', 'moved')
    await env.rename('moved', 'dir')
    await env.execCommand('rm dir/one')
    writeFileSync(join(folder, 'later'), '')
    const seen = await env.execCommand('find . | sort; cat dir/own dir/inner/two; readlink dir/link')
    const { files } = await layers.changes(SESSION)
    return {
      seen: seen.stdout,
      changed: files.map(({ path, own }) => `${path} ${own === null ? 'deleted' : 'changed'}`),
      folder: readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted(),
    }
  } finally {
    await layers.close()
    execFileSync('chmod', ['-R', 'u+rwX', base])
    rmSync(base, { recursive: true, force: true })
  }
}
