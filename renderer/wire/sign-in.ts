/** What signing in needs of the page it runs in. */
export interface SignInPage {
  readonly fragment: string
  /** Takes the fragment out of the address and the history. */
  forgetFragment(): void
  fetch(path: string, init: RequestInit): Promise<Response>
}

/** The window has no right to connect, and trying again will not help: it needs a new address. */
export class SignedOut extends Error {
  /** True: the window came with an address, and that address opens nothing any more. */
  readonly hadAddress: boolean

  constructor(hadAddress = false) {
    super(
      hadAddress
        ? 'This address does not open Countersign any more: an address works once, and only until Countersign ends.'
        : 'This window is not signed in. Open the address that Countersign prints in its terminal.',
    )
    this.name = 'SignedOut'
    this.hadAddress = hadAddress
  }
}

/** 256 bits in base64url. */
const TOKEN = /^#([\w-]{43})$/

/**
 * A token for one socket. The one in the address, if there is one, is exchanged for the cookie first and leaves the address at once; after a
 * reload the cookie alone will do. Throws `SignedOut`, or whatever `fetch` throws when nobody answers.
 */
export async function socketToken(page: SignInPage): Promise<string> {
  const launch = TOKEN.exec(page.fragment)?.[1]
  if (launch) {
    page.forgetFragment()
    await page.fetch('/session', { method: 'POST', headers: { authorization: `Bearer ${launch}` } })
  }
  // A token that was used already is no reason to stop: this browser may be signed in by it.
  const answer = await page.fetch('/socket-token', { method: 'POST' })
  if (answer.status === 401) throw new SignedOut(launch !== undefined)
  if (!answer.ok) throw new Error(`Countersign refused the connection (${answer.status}): ${(await answer.text()).trim()}`)
  return (await answer.text()).trim()
}
