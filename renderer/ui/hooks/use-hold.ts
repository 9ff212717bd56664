import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'

/** 900 ms: long enough to be meant, short enough not to be a punishment (look, motion). */
export const HOLD_MS = 900

export interface HoldHandlers {
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
  /** Begins, or goes on: pressing again while held changes nothing. For a key of the tray that is not on the button itself. */
  readonly press: () => void
  /** Lets go: before the end nothing happens and nothing is kept. */
  readonly release: () => void
  /** For the button itself: pointer, Space and Enter. */
  readonly handlers: HoldHandlers
}

export interface HoldOptions {
  /** Called once for each hold that lasted the whole time. */
  readonly onHeld: () => void
  /** While false nothing can be held, and a hold under way is let go: not yet in full sight, being written, barred. */
  readonly armed: boolean
}

/** Pressing and keeping, by pointer or key. A key that repeats does not begin a hold, so one held down beforehand signs nothing. */
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
    // what hides the button or takes the keyboard away ends the hold, since its end would not be seen
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
