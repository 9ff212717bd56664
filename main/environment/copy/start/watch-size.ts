import type { Stats } from 'node:fs'
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Between two looks, ms. */
const LOOK_MS = 250
/** Bytes left on the disk below which a copy is stopped: the person's own programs need some. */
const LEAST_FREE = 256 * 1024 ** 2

export interface SizeWatch {
  /** Aborted when the layer has grown above its limit or the disk is about to be full; its reason is a sentence. */
  readonly signal: AbortSignal
  stop(): void
}

/** `beside`: another folder in which it writes; its size counts too. */
export function watchSize(layer: string, maxBytes: number, beside?: string): SizeWatch {
  const full = new AbortController()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const reason = await whyStop(layer, maxBytes, beside).catch(() => null)
    if (reason !== null) full.abort(reason)
    else if (!isStopped) timer = setTimeout(() => void look(), LOOK_MS)
  }
  timer = setTimeout(() => void look(), LOOK_MS)
  return {
    signal: full.signal,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function whyStop(layer: string, maxBytes: number, beside: string | undefined): Promise<string | null> {
  const { bavail, bsize } = await statfs(layer)
  if (bavail * bsize < LEAST_FREE) return 'The command was stopped: the disk that holds its copy is almost full.'
  const size = (await sizeOf(layer, maxBytes)) + (beside === undefined ? 0 : await sizeOf(beside, maxBytes))
  return size <= maxBytes
    ? null
    : `The command was stopped: it wrote more than ${Math.round(maxBytes / 1024 ** 2)} MB into its copy of the folder${beside === undefined ? '' : ' and /tmp'}.`
}

/** Bytes on the disk of all files below; no further than `enough`. */
async function sizeOf(folder: string, enough: number): Promise<number> {
  let bytes = 0
  const waiting = [folder]
  for (let at = waiting.pop(); at !== undefined && bytes <= enough; at = waiting.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) bytes += blocksOf(await lstat(path).catch(() => null))
    }
  }
  return bytes
}

const blocksOf = (found: Stats | null): number => (found ? found.blocks * 512 : 0)
