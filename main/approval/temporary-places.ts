import { isInside } from '../is-inside.ts'
import { posix } from 'node:path'

/** Places for temporary files: writing there counts as inside the folder. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)\/./u
/** Devices that keep nothing of what is written to them; every other one is a disk, a memory or a way out. */
const HARMLESS = /^\/dev\/(?:null|zero|full|stdout|stderr|tty|fd\/\d+)$/u

/** Whether an absolute path without `.` and `..` is in such a place. If the workspace is in one too, its siblings do not count. */
export function isTemporaryPlace(path: string, root: string): boolean {
  if (!TEMPORARY.test(path)) return false
  const beside = posix.dirname(root)
  return !(TEMPORARY.test(beside) && isInside(beside, path))
}

/** By a path without `.` and `..`. */
export const isHarmlessDevice = (path: string): boolean => HARMLESS.test(path)
