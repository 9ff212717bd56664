import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { TextLink } from './text-link.tsx'

/** Opens an address outside the desk. Resolves to null if the address was opened, otherwise to the reason why it was not. */
export type OpenLink = (url: string) => Promise<string | null>

interface OutsideLinkProps {
  readonly url: string
  /** Null in a browser, where the page itself opens the address. */
  readonly open: OpenLink | null
  readonly children: ReactNode
}

/**
 * A link in the text of a model or a server, opened outside the desk. Its tooltip shows the complete address. The desktop app asks the
 * user in a dialog that shows the host. In a browser, the first press shows a button with the host, and that button opens the link.
 */
export function OutsideLink({ url, open, children }: OutsideLinkProps): ReactNode {
  const [why, setWhy] = useState<string | null>(null)
  const [host, setHost] = useState<string | null>(null)
  const press = async (): Promise<void> => {
    if (open) return setWhy(await open(url))
    const checked = hostOf(url)
    setHost(checked)
    setWhy(checked === null ? 'only plain https addresses are opened' : null)
  }
  const openTab = (): void => {
    window.open(url, '_blank', 'noopener,noreferrer')
    setHost(null)
  }
  return (
    <>
      <TextLink tip={url} onPress={() => void press()}>
        {children}
      </TextLink>
      {host !== null && (
        <>
          {' '}
          <Button variant="quiet" small onPress={openTab}>
            Open {host}
          </Button>
        </>
      )}
      {why !== null && <span className="dim"> ({why})</span>}
    </>
  )
}

/**
 * The host in ASCII with its port. Null if the address is neither https nor http on this machine, or if it contains a user name or
 * password.
 */
function hostOf(url: string): string | null {
  const parsed = URL.parse(url)
  const isPlain = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && OF_THIS_MACHINE.has(parsed.hostname))
  return isPlain && parsed.username === '' && parsed.password === '' ? parsed.host : null
}

/** Hosts that may be opened without https, because a sign-in or a page under development may run there. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])
