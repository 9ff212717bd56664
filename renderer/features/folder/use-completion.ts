import { useEffect, useState } from 'react'
import { useDesk } from '../../state/desk-context.ts'

export interface Completion {
  readonly folders: readonly string[]
  /** What was typed is a folder; false while nobody knows. */
  readonly exists: boolean
}

const NONE: Completion = { folders: [], exists: false }

/** Folders that the path could become. An answer that comes after a later question is dropped. */
export function useCompletion(path: string): Completion {
  const desk = useDesk()
  const [answer, setAnswer] = useState({ path: '', completion: NONE })
  useEffect(() => {
    let current = true
    const answered = desk.connection.client?.workspace.complete({ typed: path })
    answered?.then(
      (found) => current && setAnswer({ path, completion: found }),
      () => current && setAnswer({ path, completion: NONE }),
    )
    return () => {
      current = false
    }
  }, [desk, path])
  // what fitted a moment ago stays listed until the answer comes; that it exists must be true of this path
  return answer.path === path ? answer.completion : { ...answer.completion, exists: false }
}

/** Folders opened before, the last one first. */
export function useRecentFolders(): readonly string[] {
  const desk = useDesk()
  const [recent, setRecent] = useState<readonly string[]>([])
  useEffect(() => {
    let current = true
    desk.connection.client?.workspace.recent({}).then(
      ({ folders }) => current && setRecent(folders),
      () => {},
    )
    return () => {
      current = false
    }
  }, [desk])
  return recent
}
