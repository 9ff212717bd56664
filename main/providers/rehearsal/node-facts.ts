/** The Node that can run the sample's tests. */
export interface NodeFacts {
  /** Path of the program. */
  readonly execPath: string
  /** It is Electron, which is a Node only when told so. */
  readonly isElectron: boolean
  readonly platform: NodeJS.Platform
}

export function nodeFacts(): NodeFacts {
  return { execPath: process.execPath, isElectron: process.versions['electron'] !== undefined, platform: process.platform }
}
