import { type ReactNode, useState } from 'react'
import { attempt } from '../../state/attempt.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import styles from './ledger.module.css'

/** A link out of a model's text: it is opened outside of the desk, and only when pressed; the whole address is always to be seen. */
export function OutsideLink({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  const desk = useDesk()
  const [why, setWhy] = useState<string | null>(null)
  return (
    <>
      <button type="button" className={styles.link} data-tip={url} onClick={() => void open(desk, url).then(setWhy)}>
        {children}
      </button>
      {why !== null && <span className="dim"> ({why})</span>}
    </>
  )
}

/** The browser opens its own tabs; elsewhere main decides and asks. Null: it went on; else why not. */
async function open(desk: Desk, url: string): Promise<string | null> {
  if (desk.app.getState().hello?.shell === 'browser') {
    if (!isPlainHttps(url)) return 'only plain https addresses are opened'
    window.open(url, '_blank', 'noopener,noreferrer')
    return null
  }
  let why: string | null = null
  const failed = await attempt(desk, 'The link was not opened', async (client) => {
    const outcome = await client.app.openLink({ url })
    if (!outcome.opened) why = outcome.why ?? 'it was not opened'
    return { ok: true }
  })
  return failed?.what ?? why
}

function isPlainHttps(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === ''
}
