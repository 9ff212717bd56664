import { mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { openTemporaryFolder } from '../temporary-folder.ts'
import { makeTemporaryFolder, removeLayer } from './overlay-layer.ts'
import { isBelow } from './start/sandbox-view.ts'

interface TemporaryParts {
  readonly layers: string
  readonly keepsTemporary?: boolean
}

/** The `/tmp` of all copies. It is created for the first copy. */
export function createTemporary({ layers, keepsTemporary = false }: TemporaryParts) {
  let made: Promise<string> | undefined
  return {
    /** Undefined if each copy has its own `/tmp`. */
    path: async (): Promise<string | undefined> => (keepsTemporary ? (made ??= makeTemporaryFolder(layers)) : undefined),
    /** Whether this folder below `/tmp` exists for the next command. */
    keeps: async (folder: string): Promise<boolean> => isBelow('/tmp', folder) && hasFolder(await made, relative('/tmp', folder)),
    async remove(): Promise<void> {
      const left = await made?.catch(() => undefined)
      made = undefined
      if (left !== undefined) await removeLayer({ path: left })
    },
  }
}

/**
 * What commands have written below home, so that a later command finds the caches and tools of earlier ones. It is in the system's
 * temporary folder, because an overlay must not keep its changes inside the folder that it covers, and Countersign's data folder is below
 * home.
 */
export function createHomeChanges() {
  let made: Promise<string> | undefined
  let isTaken = false
  const all: Promise<string>[] = []
  return {
    /**
     * Only one command at a time gets the changes, because two overlays must not share them. A second command that runs at the same time
     * gets null, and what it writes is discarded. Call `giveBack` when the command's last process has ended. Call `giveUp` instead if it is
     * unknown whether that process has ended, or if the changes may be too large, which would stop every later command too. Then the folder
     * is never used again. Only the first call counts.
     */
    async take(home: string, folder: string): Promise<HomeChanges | null> {
      const at = tmpdir()
      if (isTaken || isBelow(home, at) || isBelow(folder, at)) return null
      isTaken = true
      if (!made) all.push((made = makeHomeChanges()))
      const path = await made.catch(() => null)
      let isOver = false
      const giveBack = (): void => {
        if (!isOver) isTaken = false
        isOver = true
      }
      const giveUp = (): void => {
        if (!isOver) made = undefined
        giveBack()
      }
      if (path === null) giveUp()
      return path === null ? null : { path, giveBack, giveUp }
    },
    /** Whether this folder below home exists for the next command. */
    keeps: async (home: string | null, folder: string): Promise<boolean> =>
      home !== null && isBelow(home, folder) && hasFolder(await made?.catch(() => undefined), join('up', relative(home, folder))),
    async remove(): Promise<void> {
      made = undefined
      isTaken = false
      for (const one of all.splice(0)) {
        const path = await one.catch(() => null)
        if (path !== null) await removeLayer({ path })
      }
    },
  }
}

async function hasFolder(at: string | undefined, inner: string): Promise<boolean> {
  const found = at === undefined ? null : await stat(join(at, inner)).catch(() => null)
  return found?.isDirectory() === true
}

interface HomeChanges {
  readonly path: string
  giveBack(): void
  giveUp(): void
}

async function makeHomeChanges(): Promise<string> {
  const path = await openTemporaryFolder('home')
  await Promise.all(['up', 'work'].map((name) => mkdir(join(path, name), { mode: 0o700 })))
  return path
}
