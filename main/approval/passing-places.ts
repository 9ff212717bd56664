import { isInside } from '../inside.ts'
import { posix } from 'node:path'

/** Places for things of no lasting worth: writing there counts as inside. */
const PASSING = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)\/./u
/** Devices that keep nothing of what is written to them; every other one is a disk, a memory or a way out. */
const HARMLESS = /^\/dev\/(?:null|zero|full|stdout|stderr|tty|fd\/\d+)$/u

/**
 * Whether an absolute path without `.` and `..` is in such a place. A workspace in a folder of such a place makes what is beside it
 * no passing thing.
 */
export function isPassing(path: string, root: string): boolean {
  if (!PASSING.test(path)) return false
  const beside = posix.dirname(root)
  return !(PASSING.test(beside) && isInside(beside, path))
}

/** By a path without `.` and `..`. */
export const isHarmlessDevice = (path: string): boolean => HARMLESS.test(path)
