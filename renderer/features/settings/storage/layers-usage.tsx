import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useAnswer } from '../../../state/use-answer.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { byteSize, counted } from '../../../ui/format.ts'
import { SettingLine } from '../setting-section.tsx'

/** The layers on disk, and what deleted sessions had left in theirs. Empty while there are none. */
export function LayersUsage(): ReactNode {
  const desk = useDesk()
  const count = useStore(desk.list, ({ sessions }) => sessions.size)
  const { value: report, again } = useAnswer(null, (client) => client.storage.layers({}), [count])
  if (report === null || report.layers.length + report.bin.length === 0) return null
  const { layers, bin } = report
  const bytes = layers.reduce((sum, layer) => sum + layer.bytes, 0)
  const drop = (sessionId: SessionId): void => void desk.connection.client?.storage.dropBinned({ sessionId }).then(again, () => {})
  return (
    <>
      <SettingLine
        title="Layers"
        words={
          layers.length === 0
            ? 'No session works beside its folder now.'
            : `Sessions beside their folders and subagents have ${counted(layers.length, 'layer')}. When a session is deleted, what it did not bring in goes into the bin below.`
        }
      >
        <span>{byteSize(bytes)}</span>
      </SettingLine>
      {bin.map(({ sessionId, title, folder, bytes: size, files }) => (
        <SettingLine
          key={sessionId}
          title={`In the bin: ${title || 'an unnamed session'}`}
          words={`${byteSize(size)} beside ${folder}. Its files are in ${files}`}
        >
          <Button small label={`Remove what ${title || 'an unnamed session'} left`} onPress={() => drop(sessionId)}>
            Remove
          </Button>
        </SettingLine>
      ))}
    </>
  )
}
