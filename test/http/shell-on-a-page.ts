import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AssetTable, readAssetTable } from '../../main/http/asset-table.ts'
import { type HttpShell, startHttpShell } from '../../main/http/http-shell.ts'
import type { Wire } from '../../shared/wire/wire.ts'

export interface RunningShell {
  readonly shell: HttpShell
  readonly port: number
  readonly assets: AssetTable
  /** Returns the `#token` fragment of a new address. */
  fragment(): string
  /** Resolves with the next wire of a page, in order of arrival. */
  nextWire(): Promise<Wire>
  readonly wires: readonly Wire[]
  readonly bugs: readonly unknown[]
  stop(): Promise<void>
}

/** Creates a small page like a built one: a nonce placeholder in the page and files with hashes in their names. */
export async function builtPage(): Promise<{ readonly folder: string; readonly assets: AssetTable }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-page-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script type="module" nonce="__CSP_NONCE__" src="./assets/index-1a2b.js"></script>',
  )
  await writeFile(join(folder, 'assets', 'index-1a2b.js'), 'export {}\n')
  await writeFile(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'asset-list.json'), JSON.stringify(['index.html', 'assets/index-1a2b.js', 'mark.svg']))
  const table = await readAssetTable(folder)
  if (!table.ok) throw new Error(table.failure.what)
  return { folder, assets: table.value }
}

export async function runningShell(): Promise<RunningShell> {
  const { folder, assets } = await builtPage()
  const wires: Wire[] = []
  const bugs: unknown[] = []
  const askers: ((wire: Wire) => void)[] = []
  const unclaimed: Wire[] = []
  const started = await startHttpShell({
    port: 0,
    assets,
    onBug: (error) => bugs.push(error),
    onWire: (wire) => {
      wires.push(wire)
      const asker = askers.shift()
      if (asker) asker(wire)
      else unclaimed.push(wire)
    },
  })
  if (!started.ok) throw new Error(started.failure.what)
  const shell = started.value
  return {
    shell,
    port: shell.port,
    assets,
    wires,
    bugs,
    fragment: () => new URL(shell.address()).hash,
    nextWire: () =>
      new Promise((resolve) => {
        const wire = unclaimed.shift()
        if (wire) resolve(wire)
        else askers.push(resolve)
      }),
    async stop() {
      await shell.close()
      await rm(folder, { recursive: true })
    },
  }
}
