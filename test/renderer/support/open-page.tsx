import { parseHTML } from 'linkedom'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'

export interface OpenPage {
  readonly window: ReturnType<typeof parseHTML>['window']
  /** The element in which React renders. */
  readonly page: HTMLElement
  readonly root: Root
  /** Renders and waits until the effects have run. */
  readonly show: (node: ReactNode) => Promise<void>
}

/** Opens an empty page without a browser and without layout, for components whose changes a test follows. It is closed with the test. */
export function openPage(): OpenPage {
  const { window } = parseHTML('<html><body><div></div></body></html>')
  // Without layout, there is nothing to scroll.
  Object.assign(window.HTMLElement.prototype, { scrollIntoView: () => {} })
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', window.document)
  vi.stubGlobal('HTMLElement', window.HTMLElement)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const page = window.document.querySelector('div') as unknown as HTMLElement
  const root = createRoot(page)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    vi.unstubAllGlobals()
  })
  return { window, page, root, show: (node) => act(async () => root.render(node)) }
}
