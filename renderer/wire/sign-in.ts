/** Stores the page secret across reloads, for this origin and port only. */
export interface KeptSecret {
  read(): string | null
  keep(secret: string): void
  forget(): void
}

/** The functions of the page that are needed to sign in. */
export interface SignInPage {
  readonly fragment: string
  /** Removes the fragment from the address and the history. */
  forgetFragment(): void
  fetch(path: string, init: RequestInit): Promise<Response>
  readonly secret: KeptSecret
  /** The page secret of another connected window of this browser. Null if there is none. */
  askOtherWindows(): Promise<string | null>
}

/** Thrown when the window may not connect and retrying does not help, because it needs a new address. */
export class SignedOut extends Error {
  /** Whether the window was opened with an address that is no longer valid. */
  readonly hadAddress: boolean

  constructor(hadAddress = false) {
    super(
      hadAddress
        ? 'This address no longer opens Countersign: each address works once, and only while the Countersign that made it is running.'
        : 'This window is not signed in. Open the address that Countersign prints in its terminal.',
    )
    this.name = 'SignedOut'
    this.hadAddress = hadAddress
  }
}

/** Matches the form of launch tokens and page secrets: 256 bits in base64url. */
export const SECRET = /^[\w-]{43}$/

/**
 * Returns a token for one socket. A launch token in the address is removed from the address at once and is exchanged for the page secret.
 * After a reload, the kept secret is enough. A second window gets the secret from the first. Throws `SignedOut`, or the error of `fetch` if
 * the server does not answer.
 */
export async function socketToken(page: SignInPage): Promise<string> {
  const launch = page.fragment.slice(1)
  const hasLaunch = SECRET.test(launch)
  if (hasLaunch) {
    page.forgetFragment()
    // A rejected token is not an error yet: this window may have used it earlier and kept the page secret.
    await exchange(page, launch)
  }
  const kept = page.secret.read()
  const token = kept === null ? null : await tokenFor(page, kept)
  if (token !== null) return token
  // No valid secret is kept: Countersign was started again on the same port, or this window is new.
  page.secret.forget()
  const other = await page.askOtherWindows()
  const shared = other === null ? null : await tokenFor(page, other)
  if (other === null || shared === null) throw new SignedOut(hasLaunch)
  page.secret.keep(other)
  return shared
}

async function exchange(page: SignInPage, launch: string): Promise<void> {
  const answer = await page.fetch('/session', { method: 'POST', headers: { authorization: `Bearer ${launch}` } })
  const secret = answer.ok ? (await answer.text()).trim() : ''
  if (SECRET.test(secret)) page.secret.keep(secret)
}

/** Returns a token for one socket in exchange for the page secret. Null if the secret does not belong to the running server. */
async function tokenFor(page: SignInPage, secret: string): Promise<string | null> {
  const answer = await page.fetch('/socket-token', { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
  if (answer.status === 401) return null
  if (!answer.ok) throw new Error(`Countersign refused the connection (${answer.status}): ${(await answer.text()).trim()}`)
  return (await answer.text()).trim()
}
