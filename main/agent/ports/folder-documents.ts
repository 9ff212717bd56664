import type { SeenFile, SessionConfigured } from '../../../shared/session/events.ts'

export type ModelName = Pick<SessionConfigured, 'provider' | 'model'>

/** The instructions in subfolders of the project, for an agent that starts to work there. */
export interface FolderDocuments {
  /** Of the folders of these files (real paths), what the agent was not given yet. `text` empty: nothing. */
  of(
    paths: readonly string[],
    conversation: {
      readonly model: ModelName
      /** How often the conversation was compacted. */
      readonly compactions: number
      /** Whether the agent has still seen a file as it is in the conversation now. */
      readonly isSeen: (file: SeenFile) => boolean
    },
  ): Promise<{ readonly text: string; readonly saw: readonly SeenFile[] }>
}
