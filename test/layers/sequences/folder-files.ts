import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Cells, cellsOf, linkTo, targetOf, textOf } from './reference.ts'

export function readInFolder(folder: string, path: string): Cells {
  const at = join(folder, path)
  const found = lstatSync(at, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return linkTo(readlinkSync(at))
  return cellsOf(found ? readFileSync(at, 'utf8') : null)
}

/** Writes or deletes a file as its user would in an editor. */
export function writeInFolder(folder: string, path: string, cells: Cells): void {
  const at = join(folder, path)
  mkdirSync(dirname(at), { recursive: true })
  const target = targetOf(cells)
  const isLink = lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (cells === null || target !== null || isLink) rmSync(at, { force: true })
  if (target !== null) symlinkSync(target, at)
  else if (cells !== null) writeFileSync(at, textOf(cells))
}
