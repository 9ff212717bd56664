import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyAppearance } from '../../renderer/ui/appearance.ts'
import '../../renderer/styles/global.css'
import { forceStates } from './forced-state.tsx'
import { LiveControls } from './live-controls.tsx'
import { Sheet } from './sheet.tsx'

/** All controls on one page. Its parameters are `?view=controls`, `&theme=light|dark|system` and `&text=small|large`. */
const query = new URLSearchParams(location.search)
applyAppearance(document.documentElement, {
  theme: oneOf(['light', 'dark', 'system'], query.get('theme')),
  text: oneOf(['normal', 'small', 'large'], query.get('text')),
})

function oneOf<Id extends string>(all: readonly [Id, ...Id[]], wanted: string | null): Id {
  return all.find((id) => id === wanted) ?? all[0]
}

const root = document.getElementById('root')
if (root === null) throw new Error('gallery.html has no #root')
createRoot(root).render(<StrictMode>{query.get('view') === 'controls' ? <LiveControls /> : <Sheet />}</StrictMode>)
forceStates()
