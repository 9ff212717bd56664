import { useAnswer } from '../../state/use-answer.ts'

export interface Completion {
  readonly folders: readonly string[]
  /** Whether the typed path is a folder. False while unknown. */
  readonly exists: boolean
}

const NONE: Completion = { folders: [], exists: false }

/** Completions of a path. Answers to earlier input are dropped. */
export function useFolderCompletion(path: string): Completion {
  const { value, last } = useAnswer<Completion>(path, (client) => client.workspace.complete({ typed: path }).catch(() => NONE))
  // The previous list is shown until the answer arrives, but `exists` must describe the current path.
  return value ?? { folders: last?.folders ?? [], exists: false }
}

const NO_FOLDERS: readonly string[] = []

/** Folders opened before, the most recent first. */
export function useRecentFolders(): readonly string[] {
  return useAnswer(null, (client) => client.workspace.recent({})).value?.folders ?? NO_FOLDERS
}
