import { useEffect, useState } from 'react'

/** What appears under a finger cannot be meant: 300 ms of full sight before it can be signed (look, controls). */
export const ARM_MS = 300

/** True once `visible` has been true for 300 ms without a break; false again at once when it is not. */
export function useArmed(visible: boolean): boolean {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!visible) return
    const timer = setTimeout(() => setArmed(true), ARM_MS)
    return () => {
      clearTimeout(timer)
      setArmed(false)
    }
  }, [visible])
  return visible && armed
}
