import { useEffect, useState } from 'react'
import { useDesk } from '../../state/desk-context.ts'

export interface Completion {
  readonly folders: readonly string[]
  /** Whether the typed path is a folder. False while unknown. */
  readonly exists: boolean
}

const NONE: Completion = { folders: [], exists: false }

/** Completions of a path. Answers to earlier input are dropped. */
export function useFolderCompletion(path: string): Completion {
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
  // The previous list is shown until the answer arrives, but `exists` must describe the current path.
  return answer.path === path ? answer.completion : { ...answer.completion, exists: false }
}

/** Folders opened before, the most recent first. */
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
