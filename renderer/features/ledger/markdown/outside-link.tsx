import { type ReactNode, useState } from 'react'
import { attempt } from '../../../state/commands/attempt.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { Desk } from '../../../state/desk.ts'
import styles from '../ledger.module.css'

/**
 * A link in a model's text, opened outside the desk. Its tooltip shows the whole address. The desktop app asks in a dialog that names the host;
 * in a browser the first press shows a button with the host, and that button opens the link.
 */
export function OutsideLink({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  const desk = useDesk()
  const [why, setWhy] = useState<string | null>(null)
  const [host, setHost] = useState<string | null>(null)
  const press = async (): Promise<void> => {
    if (desk.app.getState().hello?.shell !== 'browser') return setWhy(await open(desk, url))
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
      <button type="button" className={styles.link} data-tip={url} onClick={() => void press()}>
        {children}
      </button>
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

/** Asks main to open the link. Null when it was opened, else why not. */
async function open(desk: Desk, url: string): Promise<string | null> {
  let why: string | null = null
  const failed = await attempt(desk, 'The link was not opened', async (client) => {
    const outcome = await client.app.openLink({ url })
    if (!outcome.opened) why = outcome.why ?? 'it was not opened'
    return { ok: true }
  })
  return failed?.what ?? why
}

/** The host in ASCII with its port; null when the address is not plain https. */
function hostOf(url: string): string | null {
  const parsed = URL.parse(url)
  const isPlain = parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === ''
  return isPlain ? parsed.host : null
}
