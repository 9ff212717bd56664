import { ARMED_AFTER_MS } from '../../../shared/session/arming.ts'
import { useEffect, useState } from 'react'

/** True once `visible` has been true for 300 ms without interruption. */
export function useArmed(visible: boolean): boolean {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!visible) return
    const timer = setTimeout(() => setArmed(true), ARMED_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setArmed(false)
    }
  }, [visible])
  return visible && armed
}
