/** Where updates come from and how they are installed. All methods but `install` reject with a readable error. */
export interface UpdateSource {
  /** The version that the feed offers to this installation. Null if there is none. */
  look(): Promise<{ readonly version: string } | null>
  /** Downloads the version that `look` found. `onPercent` gets whole percents. */
  download(onPercent: (percent: number) => void): Promise<void>
  /** Replaces the app by what was downloaded and then quits Electron. Throws if nothing was replaced. */
  install(startAgain: boolean): void
}
