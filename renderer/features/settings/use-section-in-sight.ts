import { type RefObject, useEffect, useRef, useState } from 'react'
import { SECTIONS, SECTION_LIST } from '../../ui/settings-sections.ts'

/** Events of the scrolling element that show that the user, not this hook, is scrolling. */
const SCROLL_INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

export interface SectionInSight {
  /** Id of the section that is marked. */
  readonly shown: string
  /** Marks a section and scrolls to it. */
  readonly show: (id: string) => void
  /** Must be called whenever the page scrolls. */
  readonly onScroll: (scroll: HTMLElement) => void
}

/**
 * Tracks the marked section of a scrolling page. A chosen section stays marked and in view until the user scrolls, because the page may be
 * too short for the section to reach the top, and the section or the content above it may still be loading.
 */
export function useSectionInSight(scroller: RefObject<HTMLElement | null>): SectionInSight {
  const [shown, setShown] = useState<string>(SECTIONS.providers.id)
  const chosen = useRef<string | null>(null)
  const bringChosen = (): void => {
    if (chosen.current !== null) document.getElementById(chosen.current)?.scrollIntoView({ block: 'start' })
  }
  useEffect(() => {
    const element = scroller.current
    const onInput = (): void => {
      chosen.current = null
    }
    for (const input of SCROLL_INPUTS) element?.addEventListener(input, onInput, { passive: true })
    const grown = new ResizeObserver(bringChosen)
    if (element?.firstElementChild) grown.observe(element.firstElementChild)
    return () => {
      grown.disconnect()
      for (const input of SCROLL_INPUTS) element?.removeEventListener(input, onInput)
    }
  }, [scroller])
  return {
    shown,
    show: (id) => {
      chosen.current = id
      setShown(id)
      bringChosen()
    },
    onScroll: (scroll) => {
      if (chosen.current === null) setShown(sectionInSight(scroll))
    },
  }
}

/** Id of the last section that begins above the middle of the visible area. At the end of the page, the id of the last section. */
function sectionInSight(scroll: HTMLElement): string {
  const middle = scroll.getBoundingClientRect().top + scroll.clientHeight / 2
  const atEnd = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 2
  const begun = SECTION_LIST.filter(
    ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < middle,
  )
  return (atEnd ? SECTION_LIST.at(-1) : begun.at(-1))?.id ?? SECTIONS.providers.id
}
