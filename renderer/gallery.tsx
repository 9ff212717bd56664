import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { DeskScene } from './gallery/desk-scene.tsx'
import { forceStates } from './gallery/force-states.ts'
import { Sheet } from './gallery/sheet.tsx'
import { Workbench } from './gallery/workbench.tsx'
import './styles/global.css'

// Dev only, not part of the build: `?view=desk|workbench`, `&theme=light|dark`, `&text=small|large`.
const query = new URLSearchParams(location.search)
document.documentElement.dataset['theme'] = query.get('theme') ?? 'light'
document.documentElement.dataset['text'] = query.get('text') ?? 'normal'

function scene(view: string | null): React.ReactNode {
  switch (view) {
    case 'desk':
      return <DeskScene state={query.get('state') ?? 'running'} />
    case 'workbench':
      return <Workbench />
    default:
      return <Sheet />
  }
}

const root = document.getElementById('root')
if (root === null) throw new Error('gallery.html has no #root')
createRoot(root).render(<StrictMode>{scene(query.get('view'))}</StrictMode>)
forceStates()
