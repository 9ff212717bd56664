import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { DeskScene } from './gallery/desk-scene.tsx'
import { forceStates } from './gallery/forced-state.tsx'
import { Sheet } from './gallery/sheet.tsx'
import { LiveControls } from './gallery/live-controls.tsx'
import { applyAppearance } from './ui/appearance.ts'
import './styles/global.css'

// This page is only for development and not part of the build. Its parameters are `?view=desk|controls`, `&theme=light|dark` and
// `&text=small|large`.
const query = new URLSearchParams(location.search)
applyAppearance(document.documentElement, {
  theme: oneOf(['light', 'dark', 'system'], query.get('theme')),
  text: oneOf(['normal', 'small', 'large'], query.get('text')),
})

function oneOf<Id extends string>(all: readonly [Id, ...Id[]], wanted: string | null): Id {
  return all.find((id) => id === wanted) ?? all[0]
}

function scene(view: string | null): React.ReactNode {
  switch (view) {
    case 'desk':
      return <DeskScene state={query.get('state') ?? 'running'} />
    case 'controls':
      return <LiveControls />
    default:
      return <Sheet />
  }
}

const root = document.getElementById('root')
if (root === null) throw new Error('gallery.html has no #root')
createRoot(root).render(<StrictMode>{scene(query.get('view'))}</StrictMode>)
forceStates()
