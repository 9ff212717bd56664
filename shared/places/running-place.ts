/** What Countersign has on another machine. Times are in ms since 1970. */
export type RunningPlace =
  /** A container or pod that was made for a session. */
  | {
      readonly kind: 'made'
      /** An address without a folder. */
      readonly place: string
      /** The text of what it was made from, such as `image:node:22`. */
      readonly from: string
      /** The folder of this computer. */
      readonly folder: string
      readonly since: number
      /** The title of its first session. Null if that session does not exist. */
      readonly title: string | null
      /** Why it does not run, as a sentence. Null if it runs. */
      readonly why: string | null
    }
  /** A machine with sessions, on which our code is installed. */
  | {
      readonly kind: 'guest'
      readonly place: string
      /** Whether the machine answered without asking anybody. */
      readonly isReached: boolean
      /** Since when a process of ours serves folders there. Null if none does. */
      readonly since: number | null
      /** The size of what is installed there. */
      readonly bytes: number
    }
