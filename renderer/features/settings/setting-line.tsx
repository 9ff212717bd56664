import type { ReactNode } from 'react'
import styles from './settings.module.css'

export interface SettingLineProps {
  readonly title: string
  /** What it does, in a sentence. */
  readonly words?: string | undefined
  /** Its control, flush right. */
  readonly children: ReactNode
}

/** One setting: its name, what it does, its control. */
export function SettingLine({ title, words, children }: SettingLineProps): ReactNode {
  return (
    <div className={styles.line}>
      <div className={styles.lineWords}>
        <h3 className="strong">{title}</h3>
        {words !== undefined && <p className="soft">{words}</p>}
      </div>
      {children}
    </div>
  )
}
