/** What Countersign has on another machine. Times are in ms since 1970. */
export type RunningPlace =
  /** A container or pod that was made for a session. */
  | {
      readonly kind: 'made'
      /** An address without a folder. */
      readonly place: string
      /** What it was made from, as text, such as `image:node:22`. */
      readonly from: string
      /** The folder of this computer for which it was made. */
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
      /** Whether the machine could be reached without a question to the user. */
      readonly isReached: boolean
      /** When our process on that machine started. Null if none runs. */
      readonly since: number | null
      /** The size of our installed code, in bytes. */
      readonly bytes: number
    }
