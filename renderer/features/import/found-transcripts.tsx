import { type ReactNode, useEffect, useState } from 'react'
import { type FoundTranscript, SOURCE_NAMES } from '../../../shared/api/transfer.ts'
import { useDesk } from '../../state/desk-context.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { calendarDay, clockTime } from '../../ui/format.ts'
import { ListRow } from '../../ui/frame/list-row.tsx'
import styles from './import.module.css'

interface FoundTranscriptsProps {
  /** Path of the chosen file. */
  readonly chosen: string
  readonly onChoose: (path: string) => void
}

/** The newest sessions of other programs on this computer, to choose from. */
export function FoundTranscripts({ chosen, onChoose }: FoundTranscriptsProps): ReactNode {
  const { connection } = useDesk()
  const [found, setFound] = useState<readonly FoundTranscript[] | null>(null)
  useEffect(() => {
    const kept = connection.keep(async (client, signal) => {
      const { transcripts } = await client.transfer.found({})
      if (!signal.aborted) setFound(transcripts)
    })
    return () => kept.dispose()
  }, [connection])
  if (found === null) return <p className="soft">Looking for sessions on this computer …</p>
  if (found.length === 0) return <p className="soft">No session of Claude Code or Codex was found in your home folder.</p>
  return (
    <ul className={styles.found} aria-label="Sessions on this computer">
      {found.map(({ path, source, title, folder, at }) => (
        <li key={path}>
          <ListRow
            title={title || 'Without a message'}
            below={[SOURCE_NAMES[source], folder === '' ? '' : nameOf(folder)].filter((word) => word !== '').join(', ')}
            end={`${calendarDay(at)} ${clockTime(at)}`}
            selected={path === chosen}
            tip={path}
            onPress={() => onChoose(path)}
          />
        </li>
      ))}
    </ul>
  )
}
