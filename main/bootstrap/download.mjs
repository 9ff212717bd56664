import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderBytes } from './files.mjs'
import { toolEnv } from './places.mjs'
import { runQuietly } from './processes.mjs'
import { withProgress } from './say.mjs'

/** A download that makes no progress for this long is stopped (ms). */
export const STALL_MS = 20_000

/**
 * Runs a bootstrap tool that downloads something, and shows how much has arrived.
 * @param {string} root
 * @param {string} runtime
 * @param {object} download
 * @param {string} download.what the step, for the progress lines
 * @param {readonly string[]} download.args of `runtime`
 * @param {readonly string[]} download.folders where the files end up
 * @returns {Promise<import('./processes.mjs').Ending>}
 */
export async function download(root, runtime, { what, args, folders }) {
  const temp = mkdtempSync(join(tmpdir(), 'countersign-download-'))
  const measure = () => [temp, ...folders].reduce((bytes, folder) => bytes + folderBytes(folder), 0)
  const before = measure()
  const env = { ...toolEnv(root), TMPDIR: temp, TEMP: temp, TMP: temp }
  try {
    return await withProgress(
      what,
      () => `${Math.round((measure() - before) / 1e6)} MB`,
      () => runQuietly(runtime, args, { cwd: root, env, watch: { limitMs: STALL_MS, measure } }),
    )
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}
