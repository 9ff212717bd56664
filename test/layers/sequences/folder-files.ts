import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Cells, cellsOf, textOf } from './reference.ts'

export function readInFolder(folder: string, path: string): Cells {
  const at = join(folder, path)
  const isThere = existsSync(dirname(at)) && readdirSync(dirname(at)).includes(basename(at))
  return cellsOf(isThere ? readFileSync(at, 'utf8') : null)
}

/** Writes or deletes a file as its user would in an editor. */
export function writeInFolder(folder: string, path: string, cells: Cells): void {
  const at = join(folder, path)
  mkdirSync(dirname(at), { recursive: true })
  if (cells === null) rmSync(at, { force: true })
  else writeFileSync(at, textOf(cells))
}
