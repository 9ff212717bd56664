import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { DiffView } from '../../../renderer/ui/diff/diff-view.tsx'
import { StepDiff } from '../../../renderer/ui/diff/step-diff.tsx'
import { DeskFrame } from '../../../renderer/ui/frame/desk-frame.tsx'
import { Pane, PaneScroll } from '../../../renderer/ui/frame/panes/pane.tsx'
import { TerminalView } from '../../../renderer/ui/terminal/terminal-view.tsx'
import type { TerminalSource } from '../../../renderer/ui/terminal/terminal-source.ts'
import { TrayFrame } from '../../../renderer/ui/ledger/tray-frame.tsx'
import { VisuallyHidden } from '../../../renderer/ui/notices/screen-reader.tsx'
import '../../../renderer/styles/global.css'
import { SAMPLES } from './sample-texts.ts'

/** Shows components on a separate page. The query of its address selects them: `?show=tray&files=edit&theme=dark`. */
const query = new URLSearchParams(location.search)
document.documentElement.dataset['theme'] = query.get('theme') ?? 'light'

const files = SAMPLES[(query.get('files') ?? 'edit') as keyof typeof SAMPLES]
const side = { pane: null, folded: null, shown: false, drawn: false, onUndraw: () => {}, width: null, onWidth: () => {} }

declare global {
  interface Window {
    /** What the terminal has sent to its source, in order. */
    told: string[]
    /** Passes an item to the terminal, as the main process would. */
    hand: (item: Parameters<Parameters<TerminalSource['follow']>[0]>[0]) => void
  }
}

window.told = []
const source: TerminalSource = {
  follow(receive) {
    window.hand = receive
    return { dispose: () => window.told.push('left') }
  },
  acknowledge: (watcher, chars) => window.told.push(`acknowledged ${watcher} ${chars}`),
  write: (data) => window.told.push(`typed ${JSON.stringify(data)}`),
  resize: (columns, rows) => window.told.push(`resized ${columns} ${rows}`),
}

function Shown() {
  const show = query.get('show')
  if (show === 'terminal')
    return (
      <PaneScroll label="Terminal">
        <div id="folded" hidden={query.has('folded')}>
          <TerminalView
            label="Terminal of sample"
            source={source}
            onLink={(url) => window.told.push(`link ${url}`)}
            onState={(state) => window.told.push(`state ${state}`)}
          />
        </div>
      </PaneScroll>
    )
  if (show === 'split' || show === 'stacked') return <Alone layout={show} />
  return (
    <TrayFrame mark="pending" number={8} title="Edit 2 files" foot={<span className="note">Foot</span>}>
      <StepDiff texts={{ kind: 'loaded', files }} inTray />
    </TrayFrame>
  )
}

function Alone({ layout }: { readonly layout: 'split' | 'stacked' }) {
  const [file] = useState(files[0])
  return (
    <PaneScroll label="Difference">
      <DiffView path={file.shown} before={file.before} after={file.after} layout={layout} />
    </PaneScroll>
  )
}

const root = document.getElementById('root')
if (root) {
  root.style.height = '100%'
  createRoot(root).render(
    <StrictMode>
      <DeskFrame sessions={side} inspector={side} status={null}>
        <Pane kind="work" label="Samples">
          <h1>
            <VisuallyHidden>Samples</VisuallyHidden>
          </h1>
          <Shown />
        </Pane>
      </DeskFrame>
    </StrictMode>,
  )
}
