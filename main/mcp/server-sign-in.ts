import type { McpSignIn } from '../../shared/api/mcp.ts'
import type { Credentials, StartSignIn } from './connection.ts'

/** The sign-in of one server. */
export interface ServerSignIn {
  state(needsSignIn: boolean): McpSignIn
  /** Wraps the credentials. Each read or write through the wrapper also records whether credentials exist. */
  watched(credentials: Credentials): Credentials
  /**
   * Resolves when there is an address for the user to open. Ends an earlier attempt. If there is no address, rejects with an `Error` whose
   * message gives the reason.
   */
  begin(entry: Parameters<StartSignIn>[0], credentials: Credentials): Promise<void>
  cancel(): void
}

export interface ServerSignInParts {
  readonly start: StartSignIn
  onChange(): void
  /** Called when the credentials are stored. */
  onSignedIn(): void
  onFailed(why: string): void
}

export function createServerSignIn({ start, onChange, onSignedIn, onFailed }: ServerSignInParts): ServerSignIn {
  let hasCredentials = false
  let attempt: { readonly stop: AbortController; address: string | null } | null = null
  const cancel = (): void => {
    attempt?.stop.abort()
    attempt = null
  }
  const watched = (credentials: Credentials): Credentials => ({
    async read() {
      const text = await credentials.read()
      hasCredentials = text !== null
      return text
    },
    async write(text) {
      await credentials.write(text)
      hasCredentials = text !== null
    },
  })
  return {
    state(needsSignIn) {
      const address = attempt?.address ?? null
      if (address !== null) return { kind: 'waiting', address }
      if (needsSignIn) return { kind: 'needed' }
      return hasCredentials ? { kind: 'signed_in' } : { kind: 'none' }
    },
    watched,
    async begin(entry, credentials) {
      cancel()
      const own: NonNullable<typeof attempt> = { stop: new AbortController(), address: null }
      attempt = own
      const over = (then: () => void): void => {
        if (attempt !== own) return
        attempt = null
        then()
        onChange()
      }
      try {
        const { address, finished } = await start(entry, watched(credentials), own.stop.signal)
        own.address = address
        onChange()
        void finished.then(
          () => over(onSignedIn),
          (error: unknown) => over(() => onFailed(error instanceof Error ? error.message : String(error))),
        )
      } catch (error) {
        over(() => {})
        throw error
      }
    },
    cancel,
  }
}
