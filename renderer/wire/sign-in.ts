/** Stores the page secret across reloads, for this origin and port only. */
export interface KeptSecret {
  read(): string | null
  keep(secret: string): void
  forget(): void
}

/** What signing in needs from its page. */
export interface SignInPage {
  readonly fragment: string
  /** Takes the fragment out of the address and the history. */
  forgetFragment(): void
  fetch(path: string, init: RequestInit): Promise<Response>
  readonly secret: KeptSecret
  /** The page secret of another window of this browser that is connected; null when there is none. */
  askOtherWindows(): Promise<string | null>
}

/** The window may not connect, and retrying does not help: it needs a new address. */
export class SignedOut extends Error {
  /** True: the window came with an address, and that address no longer opens anything. */
  readonly hadAddress: boolean

  constructor(hadAddress = false) {
    super(
      hadAddress
        ? 'This address no longer opens Countersign: each address works once, and only while that Countersign runs.'
        : 'This window is not signed in. Open the address that Countersign prints in its terminal.',
    )
    this.name = 'SignedOut'
    this.hadAddress = hadAddress
  }
}

/** 256 bits in base64url: what a launch token and a page secret look like. */
export const SECRET = /^[\w-]{43}$/

/**
 * A token for one socket. The launch token in the address, if there is one, leaves the address at once and is exchanged for the page secret;
 * after a reload the kept secret is enough, and a second window gets it from the first. Throws `SignedOut`, or whatever `fetch` throws when
 * nobody answers.
 */
export async function socketToken(page: SignInPage): Promise<string> {
  const launch = page.fragment.slice(1)
  const hasLaunch = SECRET.test(launch)
  if (hasLaunch) {
    page.forgetFragment()
    // If the token was already used, continue: this window may be signed in by it.
    await exchange(page, launch)
  }
  const kept = page.secret.read()
  const token = kept === null ? null : await tokenFor(page, kept)
  if (token !== null) return token
  // Countersign was started again on the same port, or this window is new.
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

/** Null when the secret does not belong to the running server. */
async function tokenFor(page: SignInPage, secret: string): Promise<string | null> {
  const answer = await page.fetch('/socket-token', { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
  if (answer.status === 401) return null
  if (!answer.ok) throw new Error(`Countersign refused the connection (${answer.status}): ${(await answer.text()).trim()}`)
  return (await answer.text()).trim()
}
