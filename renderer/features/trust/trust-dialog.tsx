import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { FolderFacts } from '../../../shared/api/workspace.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { newSession } from '../../state/actions.ts'
import { attempt } from '../../state/attempt.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/overlay.tsx'
import { ExactText } from '../../ui/ledger/exact-text.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './trust.module.css'
import { widthOf } from './width-of.ts'

/**
 * Asked once for each real path before anything in it is read: what opening it would load, and a plain answer. Leaving without an answer
 * decides nothing.
 */
export function TrustDialog({ facts }: { readonly facts: FolderFacts }): ReactNode {
  const desk = useDesk()
  const home = useStore(desk.app, ({ hello }) => hello?.home ?? '')
  const wide = widthOf(facts.folder, home)
  const [answering, setAnswering] = useState<'yes' | 'no' | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'trust' ? null : overlay }))

  const answer = async (trusted: boolean): Promise<void> => {
    if (answering) return
    setAnswering(trusted ? 'yes' : 'no')
    const failed = await attempt(desk, 'Your answer was not kept', async (client) => {
      const { ok } = await client.workspace.trust({ folder: facts.folder, trusted })
      return ok ? { ok } : { ok: false, trouble: gone(facts.folder) }
    })
    const next = failed ?? (trusted ? await newSession(desk, facts.folder) : null)
    setTrouble(next)
    setAnswering(null)
    if (!next) close()
  }
  return (
    <Overlay label="Do you trust this folder?" onClose={close} className={styles.dialog}>
      <div className={styles.body}>
        <h2 className="doc-title">Do you trust {facts.name}?</h2>
        <p className={styles.path}>
          <ExactText text={facts.folder} />
        </p>
        <p className="soft">
          {facts.trust === 'no' ? 'You have said no before. ' : ''}
          An agent at work there reads its files and may be led by what stands in them. Nothing in it has been read yet.
        </p>
        {wide !== null && (
          <p className="strong">{wide} Every file in it could be read, keys and private files too. A project has a folder of its own.</p>
        )}
        <Loads paths={facts.wouldLoad} />
        {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      </div>
      <footer className={styles.foot}>
        <p className="meta">Your answer holds for this path and is asked for only once.</p>
        <Button busy={answering === 'no'} busyWord="Keeping" onPress={() => void answer(false)}>
          Do not trust it
        </Button>
        <Button busy={answering === 'yes'} busyWord="Opening" onPress={() => void answer(true)}>
          Trust and open
        </Button>
      </footer>
    </Overlay>
  )
}

function Loads({ paths }: { readonly paths: readonly string[] }): ReactNode {
  if (paths.length === 0)
    return <p className="soft">Nothing in it would be loaded on opening: no instructions, settings, hooks or servers.</p>
  return (
    <section>
      <h3 className="label">Opening it would load</h3>
      <ul className={styles.loads}>
        {paths.map((path) => (
          <li key={path} className="path">
            <ExactText text={path} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function gone(folder: string): Trouble {
  return {
    code: 'folder_missing',
    what: `The folder ${folder} cannot be found any more.`,
    kept: 'Nothing was decided about it, and nothing in it was read.',
    todo: 'Choose the folder again.',
  }
}
