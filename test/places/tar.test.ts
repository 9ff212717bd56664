import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tarOf } from '../../main/places/tar.ts'

test('the system’s tar unpacks every file byte for byte, with its executable bit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = [0, 1, 511, 512, 513, 100_000].map((size) => ({
    path: `deep/file-${size}`,
    bytes: Buffer.alloc(size, size % 251),
    isProgram: size === 513,
  }))
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: Buffer.concat([...tarOf(files)]) })
  for (const { path, bytes, isProgram } of files) {
    expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true)
    expect((statSync(join(folder, path)).mode & 0o100) !== 0).toBe(isProgram)
  }
})

test('a path that is too long is refused, not cut', () => {
  expect(() => [...tarOf([{ path: 'a'.repeat(101), bytes: new Uint8Array(), isProgram: false }])]).toThrow('too long')
})
