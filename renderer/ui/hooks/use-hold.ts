import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'

/** How long the button must be held for a destructive request, in ms. */
const HOLD_MS = 900

interface HoldHandlers {
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onPointerUp: () => void
  readonly onPointerLeave: () => void
  readonly onPointerCancel: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onKeyUp: (event: KeyboardEvent) => void
  readonly onBlur: () => void
}

export interface Hold {
  readonly armed: boolean
  readonly holding: boolean
  /**
   * Starts holding. Has no effect while the button is already held. Used for keys of the tray, because they are not pressed on the button
   * itself.
   */
  readonly press: () => void
  /** Stops holding. If the hold was too short, nothing happens. */
  readonly release: () => void
  /** Handlers for the button itself: pointer, Space and Enter. */
  readonly handlers: HoldHandlers
}

export interface HoldOptions {
  /** Called once for each complete hold. */
  readonly onHeld: () => void
  /** While false, nothing can be held, and a running hold is canceled. */
  readonly armed: boolean
}

/**
 * Lets the user hold a button by pointer or key. Repeats of a held key do not start a hold, so that a key that was pressed earlier signs
 * nothing.
 */
export function useHold({ onHeld, armed }: HoldOptions): Hold {
  const [holding, setHolding] = useState(false)
  const latest = useRef(onHeld)
  useEffect(() => {
    latest.current = onHeld
  })

  useEffect(() => {
    if (!holding) return
    const timer = setTimeout(() => {
      setHolding(false)
      latest.current()
    }, HOLD_MS)
    // The hold is canceled when the window is hidden or loses the focus, because the keyup would be missed.
    const letGo = (): void => setHolding(false)
    window.addEventListener('blur', letGo)
    document.addEventListener('visibilitychange', letGo)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', letGo)
      document.removeEventListener('visibilitychange', letGo)
    }
  }, [holding])

  if (!armed && holding) setHolding(false)

  return useMemo(() => {
    const press = (): void => {
      if (armed) setHolding(true)
    }
    const release = (): void => setHolding(false)
    return { armed, holding, press, release, handlers: handlersFor(press, release) }
  }, [armed, holding])
}

const isHoldKey = (event: KeyboardEvent): boolean => event.key === ' ' || event.key === 'Enter'

function handlersFor(press: () => void, release: () => void): HoldHandlers {
  return {
    onPointerDown: (event) => {
      if (event.button === 0 && event.isPrimary) press()
    },
    onPointerUp: release,
    onPointerLeave: release,
    onPointerCancel: release,
    onKeyDown: (event) => {
      if (event.key === 'Escape') release()
      if (!isHoldKey(event)) return
      event.preventDefault()
      if (!event.repeat) press()
    },
    onKeyUp: (event) => {
      if (isHoldKey(event)) release()
    },
    onBlur: release,
  }
}
