import { type ReactNode, useState } from 'react'
import { useDesk } from '../../state/desk-context.ts'
import styles from './ledger.module.css'

/** A link out of a model's text: main decides whether it is opened; the whole address is always to be seen. */
export function OutsideLink({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  const desk = useDesk()
  const [why, setWhy] = useState<string | null>(null)
  const open = async (): Promise<void> => {
    const outcome = await desk.connection.client?.app.openLink({ url })
    setWhy(outcome && !outcome.opened ? outcome.why : null)
  }
  return (
    <>
      <button type="button" className={styles.link} data-tip={url} onClick={() => void open()}>
        {children}
      </button>
      {why !== null && <span className="dim"> {why}</span>}
    </>
  )
}
