import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { clipped } from '../format.ts'
import { keyWords } from '../marks/key-words.ts'
import { PlatformContext } from '../marks/platform.ts'
import { type Tip, watchTips } from './watch-tips.ts'
import styles from './tooltip-layer.module.css'
import { withCodes } from '../text/hidden-characters.ts'

/** Characters of a tooltip: about six lines. A whole prompt or a list of 3,000 files would cover the window. */
const LONGEST = 240

/**
 * Shows the `data-tip` (and `data-tip-keys`) of whatever the pointer rests on or the keyboard reaches: one layer for the whole desk, so
 * that ten thousand marks cost nothing. It only repeats what screen readers get otherwise, hence it is hidden from them.
 */
export function TooltipLayer(): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [tip, setTip] = useState<Tip | null>(null)
  const platform = useContext(PlatformContext)

  useEffect(() => watchTips(document, setTip), [])
  useEffect(() => {
    const element = box.current
    if (element === null || tip === null) return
    element.showPopover({ source: tip.source })
    return () => element.hidePopover()
  }, [tip])

  return (
    <div ref={box} className={styles.tip} popover="manual" aria-hidden="true">
      {tip && clipped(withCodes(tip.words), LONGEST)}
      {tip?.keys !== undefined && <kbd className={styles.keys}>{keyWords(tip.keys, platform).join(' ')}</kbd>}
    </div>
  )
}
