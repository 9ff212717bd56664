import { type ReactNode, useEffect, useRef } from 'react'
import { useDesk, useView } from '../../state/desk-context.ts'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { clockTime } from '../../ui/format.ts'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import { AboutSection } from './about/about-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { ComputerSection } from './computer-section.tsx'
import { DefaultsSection } from './defaults-section.tsx'
import { DoctorSection } from './storage/doctor-section.tsx'
import { ExtensionsSection } from './extensions-section.tsx'
import { HooksSection } from './hooks-section.tsx'
import { ShortcutsSection } from './keys/shortcuts-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { OtherAgentsSection } from './other-agents-section.tsx'
import { ProvidersSection } from './providers/providers-section.tsx'
import { SectionSelect, SettingsNav } from './settings-nav.tsx'
import styles from './settings.module.css'
import { McpSection } from './mcp/mcp-section.tsx'
import { RulesSection } from './rules/rules-section.tsx'
import { StorageSection } from './storage/storage-section.tsx'
import { useSettingChange } from './use-setting-change.ts'
import { useSectionInSight } from './use-section-in-sight.ts'

/** All settings on one page. Each change takes effect at once. `status` is the strip at the bottom. */
export function SettingsPage({ status }: { readonly status: ReactNode }): ReactNode {
  const desk = useDesk()
  const { state, change, trouble, savedAt } = useSettingChange()
  const scroller = useRef<HTMLElement>(null)
  const { shown, show, onScroll } = useSectionInSight(scroller)
  const close = (): void => desk.view.setState({ page: 'desk' })
  useEscape(close)
  const section = useView((view) => view.section)
  const hasSettings = state !== null
  useEffect(() => {
    if (section === null || !hasSettings) return
    show(section)
    desk.view.setState({ section: null })
  }, [desk, section, hasSettings, show])
  const saved = savedAt === null ? '' : `Saved ${clockTime(savedAt)}`
  return (
    <PageFrame
      navLabel="Settings"
      nav={
        <PageNav label="Settings" closeWords="Close settings" lead={<SectionSelect shown={shown} onShow={show} />} onClose={close}>
          <SettingsNav shown={shown} onShow={show} />
        </PageNav>
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
                <OtherAgentsSection />
                <LimitsSection settings={state.settings} change={change} />
                <AppearanceSection settings={state.settings} change={change} />
                <ComputerSection settings={state.settings} change={change} />
                <StorageSection settings={state.settings} change={change} />
                <DoctorSection />
                <RulesSection />
                <HooksSection />
                <McpSection />
                <ExtensionsSection />
                <ShortcutsSection settings={state.settings} change={change} />
                <AboutSection settings={state.settings} change={change} />
              </>
            )}
          </div>
        </PaneScroll>
        <LiveRegion message={trouble ? trouble.what : saved} />
      </Pane>
    </PageFrame>
  )
}
