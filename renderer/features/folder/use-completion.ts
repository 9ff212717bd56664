import { useEffect, useState } from 'react'
import { useDesk } from '../../state/desk-context.ts'

export interface Completion {
  readonly folders: readonly string[]
  /** What was typed is a folder. */
  readonly exists: boolean
}

const NONE: Completion = { folders: [], exists: false }

/** Folders that the typed path could become. An answer that comes after a later question is dropped. */
export function useCompletion(typed: string): Completion {
  const desk = useDesk()
  const [completion, setCompletion] = useState(NONE)
  useEffect(() => {
    let current = true
    const answered = desk.connection.client?.workspace.complete({ typed: typed.trim() })
    answered?.then(
      (found) => current && setCompletion(found),
      () => current && setCompletion(NONE),
    )
    return () => {
      current = false
    }
  }, [desk, typed])
  return completion
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
