import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../copy/support.ts'
import { openOverlayLayers, openShell, SESSION, shown } from './support.ts'

describe.skipIf(hasNoCopies)('a program in a layer', () => {
  it('sees the folder at its own path and writes only into the layer', async () => {
    const { folder, layers, blobs, up } = openOverlayLayers({ 'a.txt': 'old\n', 'gone.txt': 'gone\n' })
    await layers.make(SESSION, AbortSignal.timeout(60_000))
    const shell = await openShell(layers)
    expect(await shell.ask('pwd; ls -A; cat a.txt')).toBe(`${folder}\na.txt\ngone.txt\nold`)
    await shell.ask('echo new > a.txt; rm gone.txt; mkdir -p x/y; echo made > x/y/z')
    expect(readdirSync(folder)).toEqual(['a.txt', 'gone.txt'])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old\n')
    expect(shown(await layers.changes(SESSION), blobs)).toEqual({
      'a.txt': 'old\n → new\n',
      'gone.txt': 'gone\n → none',
      'x/y/z': 'none → made\n',
    })
    await shell.close()
    expect(readdirSync(up).toSorted()).toEqual(['a.txt', 'gone.txt', 'x'])
    expect(await shell.ended).toBe(null)
  })

  it('finds its files again after a restart of the app', async () => {
    const { layers, blobs, create } = openOverlayLayers({ 'a.txt': 'old\n' })
    await layers.make(SESSION, AbortSignal.timeout(60_000))
    const first = await openShell(layers)
    await first.ask('echo new > a.txt')
    await layers.mark(SESSION)
    await first.close()
    const later = create()
    const second = await openShell(later)
    expect(await second.ask('cat a.txt')).toBe('new')
    expect(shown(await later.changes(SESSION), blobs)).toEqual({ 'a.txt': 'old\n → new\n' })
    await later.close()
  })
})
