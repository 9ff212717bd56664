import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { jsonDataFile } from '../../../main/settings/json-data-file.ts'
import { hasNoCopies, openCopies, programsWithout } from './support.ts'

/** A project on a machine whose bubblewrap counts its starts. `open` makes copies as a new launch does. */
function project() {
  const { base, folder, layers } = openCopies()
  const bin = programsWithout(['bwrap'], base)
  const real = execFileSync('bash', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim()
  const bwrap = join(bin, 'bwrap')
  const starts = join(base, 'starts')
  const plant = (program: string): void => {
    writeFileSync(bwrap, `#!/bin/sh\necho >>${starts}\n${program}\n`)
    chmodSync(bwrap, 0o755)
  }
  plant(`exec ${real} "$@"`)
  writeFileSync(starts, '')
  const path = process.env['PATH'] ?? ''
  process.env['PATH'] = bin
  onTestFinished(() => void (process.env['PATH'] = path))
  const data = join(base, 'data')
  mkdirSync(data, { recursive: true })
  const open = (more: { readonly folder?: string } = {}) => {
    const copies = createLocalCommandCopies({ folder, layers, keptSupport: jsonDataFile(data, 'copy-support'), ...more })
    onTestFinished(() => copies.cleanup())
    return copies
  }
  return { base, bwrap, data, open, plant, trials: () => readFileSync(starts, 'utf8').length }
}

describe.skipIf(hasNoCopies)('that copies can be made', () => {
  it('is tried once and kept for the next launches and for other folders on the same disk', async () => {
    const { base, open, trials } = project()
    expect(await open().support()).toEqual({ kind: 'present' })
    expect(trials()).toBe(1)
    mkdirSync(join(base, 'other'))
    expect(await open().support()).toEqual({ kind: 'present' })
    expect(await open({ folder: join(base, 'other') }).support()).toEqual({ kind: 'present' })
    expect(trials()).toBe(1)
  })

  it('is tried again when bubblewrap has changed', async () => {
    const { bwrap, open, trials } = project()
    await open().support()
    utimesSync(bwrap, 1_700_000_000, 1_700_000_000)
    expect(await open().support()).toEqual({ kind: 'present' })
    expect(trials()).toBe(2)
  })

  it('is not kept if the trial failed', async () => {
    const { open, plant, trials } = project()
    plant('echo "no namespaces" >&2; exit 1')
    expect((await open().support()).kind).toBe('absent')
    expect((await open().support()).kind).toBe('absent')
    expect(trials()).toBe(2)
  })

  it('is tried again after a command could not be started in a copy', async () => {
    const { open, plant } = project()
    await open().support()
    const copies = open()
    expect(await copies.support()).toEqual({ kind: 'present' })
    plant('echo "no namespaces" >&2; exit 1')
    await expect(copies.run('true')).rejects.toThrow('no namespaces')
    expect((await copies.support()).kind).toBe('absent')
  })

  it('does not hold for a folder that contains the data of the app', async () => {
    const { base, open } = project()
    await open().support()
    expect(await open({ folder: base }).support()).toMatchObject({
      kind: 'absent',
      reason: expect.stringContaining('keeps its own data inside'),
    })
  })
})
