import { Emitter } from '../../shared/lib/emitter.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'
import { asStorageError } from './storage-trouble.ts'

/** Every way to the disk goes through these two, so that every failure has its words and the desk knows what is being saved. */
export function createGuards(file: string, readOnly: Trouble | null) {
  const emitter = new Emitter<Trouble | null>()
  let trouble = readOnly
  const set = (now: Trouble | null): void => {
    if (now?.code === trouble?.code) return
    trouble = now
    emitter.fire(now)
  }
  const failed = (error: unknown): StorageError => {
    const failure = asStorageError(error, file)
    set(failure.trouble)
    return failure
  }
  return {
    failed,
    write<T>(work: () => T): T {
      if (readOnly) throw new StorageError(readOnly)
      let value: T
      try {
        value = work()
      } catch (error) {
        throw failed(error)
      }
      set(null)
      return value
    },
    read<T>(work: () => T): T {
      try {
        return work()
      } catch (error) {
        throw asStorageError(error, file)
      }
    },
    health: {
      get trouble() {
        return trouble
      },
      onTrouble: emitter.event,
    },
  }
}
