import type { ReactNode } from 'react'
import styles from './tab-panel.module.css'

export interface TabPanelProps {
  /** The `panelId` of its `Tabs`. */
  readonly id: string
  /** The tab that fills it now. */
  readonly tab: string
  readonly children: ReactNode
}

/** What the selected tab shows. */
export function TabPanel({ id, tab, children }: TabPanelProps): ReactNode {
  return (
    <div className={styles.panel} role="tabpanel" id={id} aria-labelledby={`${id}-${tab}`}>
      {children}
    </div>
  )
}
