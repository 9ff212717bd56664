import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageFrame } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { clockTime } from '../../ui/format.ts'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { ComputerSection } from './computer-section.tsx'
import { DefaultsSection } from './defaults-section.tsx'
import { DoctorSection } from './doctor-section.tsx'
import { ExtensionsSection } from './extensions-section.tsx'
import { HooksSection } from './hooks-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { ProvidersSection } from './providers/providers-section.tsx'
import { SECTIONS, SectionSelect, SettingsNav } from './settings-nav.tsx'
import styles from './settings.module.css'
import { McpSection } from './mcp/mcp-section.tsx'
import { RulesSection } from './rules/rules-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { useChange } from './use-change.ts'

/** What a person does to scroll the page: as events of the scrolling element. */
const SCROLL_INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** All settings on one page; each change takes effect at once. `status` is the strip at the bottom. */
export function SettingsPage({ status }: { readonly status: ReactNode }): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.settings, ({ settings }) => settings)
  const { change, trouble, savedAt } = useChange()
  const [shown, setShown] = useState<string>(SECTIONS[0].id)
  const scroller = useRef<HTMLElement>(null)
  // A chosen section stays marked and in sight until the person scrolls: the page may be too short to bring it to the top, and the section, or
  // what is above it, may still be loading.
  const chosen = useRef<string | null>(null)
  const bringChosen = (): void => {
    if (chosen.current !== null) document.getElementById(chosen.current)?.scrollIntoView({ block: 'start' })
  }
  const show = (id: string): void => {
    chosen.current = id
    setShown(id)
    bringChosen()
  }
  const onScroll = (scroll: HTMLElement): void => {
    if (chosen.current === null) setShown(sectionInSight(scroll))
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
  }, [])
  const close = (): void => desk.view.setState({ page: 'desk' })
  useEscape(close)
  const saved = savedAt === null ? '' : `Saved ${clockTime(savedAt)}`
  return (
    <PageFrame
      navLabel="Settings"
      nav={
        <Pane kind="sessions" label="Settings">
          <PaneHead
            titleBar
            lead={<SectionSelect shown={shown} onShow={show} />}
            end={
              <Button variant="quiet" small icon={X} keys="Esc" onPress={close}>
                Close settings
              </Button>
            }
          />
          <SettingsNav shown={shown} onShow={show} />
        </Pane>
      }
      status={status}
    >
      <Pane kind="work" label="Settings">
        <PaneHead rank={1} title="Settings" end={<span className={styles.saved}>{saved}</span>} />
        <PaneScroll label="All settings" ref={scroller} onScroll={(event) => onScroll(event.currentTarget)}>
          <div className={styles.page}>
            {state?.troubles.map(({ code, what, kept, todo }) => (
              <ErrorNotice key={`${code} ${what}`} framed happened={what} kept={kept} todo={todo} />
            ))}
            {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
            {state === null ? (
              <p className="soft">Loading the settings…</p>
            ) : (
              <>
                <ProvidersSection state={state} change={change} />
                <DefaultsSection state={state} change={change} />
                <LimitsSection settings={state.settings} change={change} />
                <AppearanceSection settings={state.settings} change={change} />
                <ComputerSection settings={state.settings} change={change} />
                <StorageSection settings={state.settings} change={change} />
                <DoctorSection />
                <RulesSection />
                <HooksSection />
                <McpSection />
                <ExtensionsSection />
              </>
            )}
          </div>
        </PaneScroll>
        <LiveRegion message={trouble ? trouble.what : saved} />
      </Pane>
    </PageFrame>
  )
}

/** The last section that begins above the middle of the visible area. */
function sectionInSight(scroll: HTMLElement): string {
  const middle = scroll.getBoundingClientRect().top + scroll.clientHeight / 2
  const atEnd = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 2
  const begun = SECTIONS.filter(({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < middle)
  return (atEnd ? SECTIONS.at(-1) : begun.at(-1))?.id ?? SECTIONS[0].id
}
