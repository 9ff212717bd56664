import type { SeenFile, SessionConfigured } from '../../../shared/session/events.ts'

export type ModelName = Pick<SessionConfigured, 'provider' | 'model'>

/** The instructions in subfolders of the project, for an agent that starts to work there. */
export interface FolderDocuments {
  /**
   * Returns the instructions in the folders of these files (real paths) that the agent has not been given yet. `text` is empty if there
   * are none.
   */
  of(
    paths: readonly string[],
    conversation: {
      readonly model: ModelName
      /** How many times the conversation was compacted. */
      readonly compactions: number
      /** Whether the conversation still contains the current content of a file. */
      readonly isSeen: (file: SeenFile) => boolean
    },
  ): Promise<{ readonly text: string; readonly saw: readonly SeenFile[] }>
}
