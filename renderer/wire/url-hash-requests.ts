import type { StoreApi } from 'zustand/vanilla'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'
import { type AskedToShow, MENU_COMMANDS } from '../../shared/api/app.ts'

/** The parts of the page's address that are used here. */
export interface Address {
  fragment(): string
  /** Removes the fragment from the address and the history. */
  forgetFragment(): void
  onChange(listener: () => void): Disposable
}

/**
 * Reads what the desktop shell asks the page to show, from the `#` part of the page's address, now and whenever it changes. The part is
 * then removed, so that a reload does not repeat the request.
 */
export function onAskedToShow(listener: (asked: AskedToShow) => void, address: Address = windowAddress()): Disposable {
  const look = (): void => {
    const asked = askedIn(address.fragment())
    if (!asked) return
    address.forgetFragment()
    listener(asked)
  }
  const changes = address.onChange(look)
  look()
  return changes
}

function askedIn(fragment: string): AskedToShow | null {
  const [[name, value] = ['', ''], ...others] = [...new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'))]
  if (others.length > 0 || value === '') return null
  if (name === 'folder') return { kind: 'folder', folder: value }
  if (name === 'settings') return { kind: 'settings', section: value }
  const command = MENU_COMMANDS.find((one) => one === value)
  if (name === 'command') return command === undefined ? null : { kind: 'command', command }
  return name === 'session' || name === 'at' ? { kind: 'session', sessionId: value, wasShown: name === 'at' } : null
}

function windowAddress(): Address {
  return {
    fragment: () => location.hash,
    forgetFragment: () => history.replaceState(history.state, '', location.pathname),
    onChange(listener) {
      addEventListener('hashchange', listener)
      return disposable(() => removeEventListener('hashchange', listener))
    },
  }
}

interface Shown {
  readonly sessionId: string | null
}

/** Keeps the shown session in the page's address as `#at=ID`, from which the desktop shell restores its windows. */
export function keepSessionInAddress(view: Pick<StoreApi<Shown>, 'getState' | 'subscribe'>): void {
  const keep = ({ sessionId }: Shown): void => {
    // The address still holds a request that was not read yet.
    if (location.hash !== '' && !location.hash.startsWith('#at=')) return
    const address = sessionId === null ? location.pathname : `#at=${encodeURIComponent(sessionId)}`
    history.replaceState(history.state, '', address)
  }
  view.subscribe((now, before) => {
    if (now.sessionId !== before.sessionId) keep(now)
  })
  keep(view.getState())
}
