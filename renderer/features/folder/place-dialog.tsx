import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useRef } from 'react'
import { parseAddress, placeName } from '../../../shared/places/address.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import { BusyRing } from '../../ui/marks/dot.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { FarFolders } from './far-folders.tsx'
import { MachineList } from './machine-list.tsx'
import { InstallQuestion, SshQuestion } from './machine-questions.tsx'
import styles from './places.module.css'
import { RunningPlaces } from './running-places.tsx'
import { type Connection, useConnection } from './use-connection.ts'

/** Opens a folder on another machine. The user chooses the machine, answers questions about the connection, and chooses the folder. */
export function PlaceDialog(): ReactNode {
  const desk = useDesk()
  const connection = useConnection()
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'place' ? null : overlay }))
  const sign = useRef<HTMLButtonElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || sign.current === null) return
    event.preventDefault()
    // The button itself knows whether it may be pressed yet.
    sign.current.click()
  }
  return (
    <Overlay label="Open a folder on another machine" onClose={close} className={styles.dialog}>
      <header className={styles.head}>
        <h2 className="strong">Open a folder on another machine</h2>
        <Button variant="quiet" only icon={X} label="Close" keys="Esc" onPress={close} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key of the signing button */}
      <div className={styles.columns} onKeyDown={onKeyDown}>
        <MachineList chosen={connection.place} onChoose={connection.connect} />
        <section className={styles.right} aria-label="Connection" aria-live="polite">
          <Step connection={connection} sign={sign} />
        </section>
      </div>
    </Overlay>
  )
}

interface StepProps {
  readonly connection: Connection
  readonly sign: Ref<HTMLButtonElement>
}

function Step({ connection: { place, item, connect, answer }, sign }: StepProps): ReactNode {
  if (place === null || item === null)
    return (
      <>
        <p className={styles.none}>Choose a machine. The system’s ssh, docker, podman or kubectl connects, with your own configuration.</p>
        <RunningPlaces />
      </>
    )
  const chosen = parseAddress(item.kind === 'reached' ? item.place : place).place
  const name = chosen === null ? place : placeName(chosen)
  switch (item.kind) {
    case 'connecting':
      return (
        <p className={styles.none}>
          <BusyRing /> Connecting to {name}
        </p>
      )
    case 'making':
      return (
        <p className={styles.none}>
          <BusyRing /> {item.words}
        </p>
      )
    case 'installing':
      return (
        <p className={styles.none}>
          <BusyRing /> Installing on {name}
        </p>
      )
    case 'asks':
      return <SshQuestion key={item.id} name={name} item={item} onAnswer={(text) => answer(item.id, text)} />
    case 'asks-install':
      return <InstallQuestion sign={sign} name={name} item={item} onAnswer={(text) => answer(item.id, text)} />
    case 'reached':
      return <FarFolders key={item.place} name={name} place={item.place} found={item.found} folder={item.folder} />
    case 'failed':
      return (
        <>
          <div className={styles.body}>
            <ErrorNotice happened={item.trouble.what} kept={item.trouble.kept} todo={item.trouble.todo} />
          </div>
          <footer className={styles.foot}>
            <Button className="push" onPress={() => connect(place)}>
              Try again
            </Button>
          </footer>
        </>
      )
  }
}
